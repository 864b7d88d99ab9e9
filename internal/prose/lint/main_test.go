package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLint(t *testing.T) {
	dir := t.TempDir()
	changes, page := filepath.Join(dir, "CHANGELOG.md"), filepath.Join(dir, "page.md")
	require.NoError(t, os.WriteFile(changes, []byte("# Changes\n\n## 2\n\nIt is made anew.\n\n## 1\n\nNobody knows.\n"), 0o600))
	require.NoError(t, os.WriteFile(page, []byte("# Page\n\nSomebody wrote it.\n"), 0o600))
	var b strings.Builder
	faults, err := lint(&b, []string{changes, page})
	require.NoError(t, err)
	require.Equal(t, 2, faults)
	require.Regexp(t, `^\S+CHANGELOG\.md:5: "anew": .+\n\S+page\.md:3: "Somebody": .+\n$`, b.String())
	_, err = lint(&b, nil)
	require.Error(t, err, "a pattern that finds no page is a mistake")
	_, err = lint(&b, []string{filepath.Join(dir, "none.md")})
	require.ErrorContains(t, err, "none.md")
}
