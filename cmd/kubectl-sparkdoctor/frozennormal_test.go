package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frozenCommand is a command line whose output is frozen.
type frozenCommand struct {
	name string
	run  func(*testing.T, frozenInput) string
}

func frozenCommands() []frozenCommand {
	return []frozenCommand{
		{"scan", func(t *testing.T, in frozenInput) string {
			return in.offline(t, "scan", "--show-suppressed")
		}},
		{"gate", func(t *testing.T, in frozenInput) string {
			return in.offline(t, append([]string{"gate"}, in.gate...)...)
		}},
		{"live", func(t *testing.T, in frozenInput) string {
			return in.live(t, "scan", "-o", "json")
		}},
		// Fixtures are small: of 18 entries none would be pruned.
		{"fix", func(t *testing.T, in frozenInput) string {
			return in.live(t, "fix", "--dry-run", "-o", "yaml", "--max-risk", "destructive", "--keep-executors", "18")
		}},
	}
}

// offline runs a command on the files.
func (in frozenInput) offline(t *testing.T, args ...string) string {
	t.Helper()
	args = append(append(args, "-f", in.path, "-o", "json"), in.files...)
	return in.normalized(run(t, append(args, in.judging...)...), "")
}

// live runs a command against an API server that serves the files. A kubeconfig would show its place, which depends on the run.
func (in frozenInput) live(t *testing.T, args ...string) string {
	t.Helper()
	s := newAPIServer(t, in.now, in.manifests(t)...)
	s.add(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: 00000000-0000-4000-8000-000000000000}\n")
	args = append(args, "--confirm-after", "0", "--qps", "10000", "--burst", "10000", "--server", s.URL)
	return in.normalized(run(t, append(args, in.judging...)...), s.URL)
}

// manifests are the texts that the API server answers from.
func (in frozenInput) manifests(t *testing.T) []string {
	t.Helper()
	if filepath.Ext(in.path) == ".yaml" {
		text, err := os.ReadFile(in.path)
		require.NoError(t, err)
		return []string{string(text)}
	}
	files, err := filepath.Glob(filepath.Join(in.path, "*.yaml*"))
	require.NoError(t, err)
	var out []string
	for _, path := range files {
		text, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		if filepath.Ext(path) == ".gz" {
			unzipped, err := gzip.NewReader(bytes.NewReader(text))
			require.NoError(t, err)
			text, err = io.ReadAll(unzipped)
			require.NoError(t, err)
		}
		out = append(out, string(text))
	}
	return out
}

var (
	pageLink = regexp.MustCompile(`https://github\.com/sparkdoctor/kubectl-sparkdoctor/blob/\S*/(SD\d{4})\.md`)
	built    = regexp.MustCompile(`("tool": \{\s*"version": )"[^"]*"(,\s*"commit": )"[^"]*"`)
	duration = regexp.MustCompile(`("durationMilliseconds": )\d+`)
)

// normalized is the exit code and the output without what depends on the run, the build and the place of files and pages. What is
// said on stderr counts where it is the answer.
func (in frozenInput) normalized(got ran, server string) string {
	text := fmt.Sprintf("exit %d\n%s", got.code, got.stdout)
	if got.code == 2 {
		text += "stderr:\n" + got.stderr
	}
	places := []string{filepath.Dir(in.path) + "/", "", filepath.Dir(in.target) + "/", ""}
	if in.target == "" {
		places = places[:2]
	}
	if server != "" {
		places = append(places, server, "SERVER", strings.TrimPrefix(server, "http://"), "SERVER")
	}
	text = strings.NewReplacer(places...).Replace(text)
	text = pageLink.ReplaceAllString(text, "PAGE/$1")
	text = built.ReplaceAllString(text, `$1"VERSION"$2"COMMIT"`)
	return duration.ReplaceAllString(text, "${1}0")
}
