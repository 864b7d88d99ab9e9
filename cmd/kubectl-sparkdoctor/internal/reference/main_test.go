package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
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

// TestEveryCheckIsPublished holds that the address of each check leads to its page, and that no page there is of anything else.
func TestEveryCheckIsPublished(t *testing.T) {
	const root = "../../../.."
	entries, err := os.ReadDir(filepath.Join(root, "docs/checks"))
	require.NoError(t, err)
	require.Len(t, entries, len(checks.Catalogue()), "make generate")
	for _, c := range checks.Catalogue() {
		place, ours := strings.CutPrefix(checks.PageURL(c.ID), "https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/")
		require.True(t, ours, checks.PageURL(c.ID))
		require.Equal(t, "docs/checks/"+c.ID+".md", place, "alerts and bookmarks lead there")
		published, err := os.ReadFile(filepath.Join(root, place)) // #nosec G304 -- a test
		require.NoError(t, err, "make generate")
		page, err := checks.Docs(c.ID)
		require.NoError(t, err)
		require.Equal(t, string(page), string(published), "%s: make generate", c.ID)
	}
}
