package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

func TestEveryCommandHasItsPages(t *testing.T) {
	home := filepath.Join(t.TempDir(), "someone")
	t.Setenv("HOME", home)
	dir := t.TempDir()
	require.NoError(t, run([]string{dir}))
	commands := cli.Root(genericiooptions.NewTestIOStreamsDiscard()).Commands()
	require.Greater(t, len(commands), 10)
	for _, c := range commands {
		page, err := os.ReadFile(filepath.Join(dir, "reference", "kubectl_sparkdoctor_"+c.Name()+".md"))
		require.NoError(t, err)
		require.Contains(t, string(page), c.Short)
		require.NotContains(t, string(page), home, "a path of the machine")
		man, err := os.ReadFile(filepath.Join(dir, "man", "kubectl-sparkdoctor-"+c.Name()+".1"))
		require.NoError(t, err)
		require.Contains(t, string(man), `"Nov 2026"`)
		require.NotContains(t, string(man), home)
	}
	require.EqualError(t, run(nil), "usage: reference DIRECTORY")
}
