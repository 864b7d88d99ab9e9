package repo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// TestTheCheckOfCONTRIBUTING does what CONTRIBUTING.md says: it writes the files into a copy of the tree and runs the tests
// and the program there.
func TestTheCheckOfCONTRIBUTING(t *testing.T) {
	if !sampling.Nightly() {
		t.Skip("make test-slow runs it: it compiles the program anew")
	}
	raw, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, found := bytes.Cut(raw, []byte("\n## Add a check in one sitting\n"))
	require.True(t, found)
	text, _, _ = bytes.Cut(text, []byte("\n## Add a mechanism ")) // the page of a check has sections of its own
	dir := treeCopy(t, "cmd", "examples", "internal", "pkg", "test/node/recordings")
	files := regexp.MustCompile("(?s)`(pkg/[^`]+)`:\n\n```\\w+\n(.*?)```\n").FindAllSubmatch(text, -1)
	require.Len(t, files, 4)
	for _, m := range files {
		file := filepath.Join(dir, string(m[1]))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, m[2], 0o600))
	}
	line := regexp.MustCompile("numbers: `(\\w+\\(\\),)`").FindSubmatch(text)
	require.NotNil(t, line)
	list := filepath.Join(dir, "pkg", "checks", "lifecycle", "lifecycle.go")
	all, err := os.ReadFile(list) // #nosec G304 -- a test
	require.NoError(t, err)
	last := []byte("\t\texecutorBounds(),\n") // of SD6016
	require.Contains(t, string(all), string(last))
	require.NoError(t, os.WriteFile(list, bytes.Replace(all, last, append(last, append(append([]byte("\t\t"), line[1]...), '\n')...), 1),
		0o600))

	run := func(name string, args ...string) string {
		if strings.HasPrefix(name, "bin/") {
			name = filepath.Join(dir, name)
		}
		out, err := inCopy(t, dir, name, args...)
		require.NoError(t, err, "%s\n%s", strings.Join(args, " "), out)
		return out
	}
	run("go", "test", "-vet=off", "-run", "Catalogue|Fixture|EveryPage|EveryCheck", "./pkg/checks/", "./pkg/checks/lifecycle/")
	out, err := inCopy(t, dir, "env", "FROZEN_DUMP="+filepath.Join(dir, "dump"), "go", "test", "-vet=off", "-run", "TestFrozen/inputs/SD6099",
		"./cmd/kubectl-sparkdoctor")
	require.Error(t, err, "no output of the fixture is recorded")
	told, err := os.ReadFile(filepath.Join(dir, "dump", "live", "SD6099", "in-default")) // #nosec G304 -- a test
	require.NoError(t, err, out)
	require.Contains(t, string(told), "kubectl create namespace etl")
	run("go", "build", "-o", "bin/", "./cmd/kubectl-sparkdoctor")
	require.Contains(t, run("bin/kubectl-sparkdoctor", "scan", "-f", "pkg/checks/lifecycle/testdata/SD6099/in-default.yaml", "--checks",
		"SD6099"), "the application is in namespace default")
	require.Contains(t, run("bin/kubectl-sparkdoctor", "explain", "SD6099"), "Quotas and roles are given by namespace")
}
