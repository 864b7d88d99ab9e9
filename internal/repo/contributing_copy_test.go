package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// treeCopy copies parts of the tree, and what names its modules, so that a test can change them. It returns where.
func treeCopy(t *testing.T, parts ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range parts {
		require.NoError(t, os.CopyFS(filepath.Join(dir, part), os.DirFS(part)))
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		copied, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), copied, 0o600))
	}
	return dir
}

// inCopy runs a program there. Go compiles as make build does: what the copy leaves alone is in its cache.
func inCopy(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath", "SPARKDOCTOR_WHOLE=") // in the copy, as in make test
	out, err := cmd.CombinedOutput()
	return string(out), err
}
