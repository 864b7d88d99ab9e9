package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// frozenInput is a fixture of a check, or an example, with the flags that its first lines stand for.
type frozenInput struct {
	key     string // SD2001/foreign-owner, wherever the fixture is
	path    string // of a file, or of a directory
	judging []string
	files   []string // what goes with files only
	gate    []string
	target  string
	now     time.Time
}

// undated is now for files that hold no time.
var undated = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// frozenInputs are the fixtures below pkg/ and the examples, in no order. A fixture lies in a folder testdata/SD2001, or one
// that has the slug of a check, or one of those that several checks share.
func frozenInputs(t *testing.T) []frozenInput {
	t.Helper()
	shared := regexp.MustCompile(`^(hops/[0-9.]+|rendered|target)$`)
	paths, inputs := map[string]string{}, []frozenInput{}
	add := func(key, path string) {
		require.NotContains(t, paths, key, "two fixtures with one key: %s", path)
		paths[key] = path
		inputs = append(inputs, readFrozenInput(t, key, path))
	}
	require.NoError(t, filepath.WalkDir("../../pkg", func(path string, d fs.DirEntry, err error) error {
		_, below, within := strings.Cut(filepath.ToSlash(path), "/testdata/")
		if err != nil || !within || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		folder, file := filepath.Split(below)
		folder = strings.TrimSuffix(folder, "/")
		if c, err := check.Lookup(checks.Catalogue(), strings.ReplaceAll(folder, "_", "-")); err == nil {
			folder = c.ID
		} else if !shared.MatchString(folder) {
			return nil
		}
		add(folder+"/"+strings.TrimSuffix(file, ".yaml"), path)
		return nil
	}))
	examples, err := filepath.Glob("../../examples/*/*.yaml")
	require.NoError(t, err)
	for _, path := range examples {
		if dir := filepath.Dir(path); paths["examples/"+filepath.Base(dir)] == "" {
			add("examples/"+filepath.Base(dir), dir)
		}
	}
	require.Greater(t, len(inputs), 700)
	return inputs
}

// readFrozenInput turns the first lines of a fixture into flags, as the tests of the checks turn them into options.
func readFrozenInput(t *testing.T, key, path string) frozenInput {
	t.Helper()
	in := frozenInput{key: key, path: path, now: undated, gate: []string{"--to", "2.5.2"}}
	complete, from := key == "examples/broken-cluster", ""
	if filepath.Ext(path) == ".yaml" {
		raw, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan() && strings.HasPrefix(lines.Text(), "#"); {
			word, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "#")), " ")
			switch rest = strings.TrimSpace(rest); word {
			case "complete":
				complete = true
			case "as-of":
				in.files = append(in.files, "--as-of", rest)
				in.now, err = time.Parse(time.RFC3339, rest)
				require.NoError(t, err, path)
			case "upgrade":
				releases := strings.Fields(rest)
				require.Len(t, releases, 2, path)
				from = releases[0]
				in.gate = []string{"--to", releases[1]}
			case "target":
				in.target = filepath.Join(filepath.Dir(path), rest)
				in.gate = append(in.gate, "--target-manifests", in.target)
			case "pile-up", "finished-after", "max-object-size":
				in.judging = append(in.judging, "--"+word, rest)
			}
		}
	}
	if complete {
		in.files = append(in.files, "--complete")
	}
	s, read, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}, Now: undated})
	require.NoError(t, err, path)
	switch {
	case in.now != undated:
	case read.Dated:
		in.now = s.TakenAt
	default:
		in.files = append(in.files, "--as-of", undated.Format(time.RFC3339))
	}
	in.gate = append(in.gate, whichUpgrade(operator.Find(s.Deployments()), from)...)
	return in
}

// whichUpgrade says what the gate cannot see in the file, so that it judges more than half of the fixtures: of several operators
// the first is upgraded, and where there is none, or one of no release that is known, 2.3.0 or what the fixture says.
func whichUpgrade(found []operator.Installation, from string) []string {
	var controllers []operator.Installation
	for _, in := range found {
		if in.Controller != nil {
			controllers = append(controllers, in)
		}
	}
	var flags []string
	if len(controllers) > 1 {
		flags = []string{"--operator", controllers[0].Controller.Namespace + "/" + controllers[0].Controller.Name}
	}
	if from == "" && (len(controllers) == 0 || !controllers[0].Recognised) {
		from = "2.3.0"
	}
	if from != "" {
		flags = append(flags, "--from", from)
	}
	return flags
}
