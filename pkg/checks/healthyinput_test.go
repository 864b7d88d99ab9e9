package checks_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

// healthy is input in which no check finds anything: a rendered chart, or a look-alike of any check.
type healthy struct {
	name    string
	objects [][]byte // as JSON
	now     time.Time
	params  check.Params
}

// knownHealthy are the inputs that were found healthy, by whether they are everything: five tests ask for them, one after the other.
var knownHealthy = map[bool][]healthy{}

func (h healthy) rendered() bool { return strings.Contains(h.name, "rendered") }

// healthyInputs returns them as files that may not be everything, or as everything: rendered charts, and look-alikes, of which the
// race detector watches each fourth.
func healthyInputs(t *testing.T, complete bool) []healthy {
	t.Helper()
	if known, ok := knownHealthy[complete]; ok {
		return known
	}
	var out []healthy
	add := func(path string, now time.Time, p check.Params) {
		h := healthy{name: path, objects: objectsIn(t, path), now: now, params: p}
		if len(h.objects) > 0 && findings(h.scan(t, multiYAML(h.objects), complete)) == 0 {
			out = append(out, h)
		}
	}
	charts, err := filepath.Glob("testdata/rendered/*.yaml")
	require.NoError(t, err)
	for _, path := range charts {
		add(path, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), check.DefaultParams())
	}
	for _, f := range sampling.NightlyOf(fixtures(t)) {
		if f.Silent && f.Upgrade == nil {
			add(f.Path, f.Snapshot(t).TakenAt, f.Params)
		}
	}
	if sampling.Nightly() {
		require.Greater(t, len(out), 100)
	}
	require.Greater(t, len(out), 10)
	knownHealthy[complete] = out
	return out
}

func objectsIn(t *testing.T, path string) [][]byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var out [][]byte
	for _, doc := range bytes.Split(append([]byte("\n"), raw...), []byte("\n---")) {
		one, err := yaml.YAMLToJSON(doc)
		require.NoError(t, err, path)
		if string(one) != "null" {
			out = append(out, one)
		}
	}
	return out
}

// scan judges input of one form.
func (h healthy) scan(t *testing.T, in form, complete bool) []check.Result {
	t.Helper()
	o := manifests.Options{Paths: []string{"-"}, Stdin: strings.NewReader(in.text), Complete: complete, AsOf: h.now, Now: h.now}
	if in.files != nil {
		dir := t.TempDir()
		for i, text := range in.files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), text, 0o600))
		}
		o.Paths = []string{dir}
	}
	s, _, err := manifests.Read(t.Context(), o)
	require.NoError(t, err, h.name)
	return check.Run(s, checks.All(), h.params)
}

// form is input as one text, or in files of a directory.
type form struct {
	text  string
	files [][]byte
}

func asYAML(objects [][]byte) [][]byte {
	out := make([][]byte, 0, len(objects))
	for _, o := range objects {
		text, err := yaml.JSONToYAML(o)
		if err != nil {
			panic(err) // it was YAML
		}
		out = append(out, text)
	}
	return out
}

func multiYAML(objects [][]byte) form {
	return form{text: string(bytes.Join(asYAML(objects), []byte("---\n")))}
}

func listJSON(objects [][]byte) string {
	return `{"apiVersion":"v1","kind":"List","items":[` + string(bytes.Join(objects, []byte(","))) + `]}`
}

// forms are the same objects, written otherwise.
func forms(objects [][]byte, r *rand.Rand) map[string]form {
	shuffled := slices.Clone(objects)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	list, err := yaml.JSONToYAML([]byte(listJSON(objects)))
	if err != nil {
		panic(err)
	}
	return map[string]form{
		"shuffled": multiYAML(shuffled), "JSON": {text: string(bytes.Join(objects, []byte("\n")))}, "a List": {text: listJSON(objects)},
		"a List in YAML": {text: string(list)}, "a file each": {files: asYAML(objects)},
	}
}

func kindIn(t *testing.T, object []byte) string {
	t.Helper()
	var head struct{ APIVersion, Kind string }
	require.NoError(t, yaml.Unmarshal(object, &head))
	return head.APIVersion + " " + head.Kind
}
