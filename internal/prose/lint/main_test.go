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
	source := filepath.Join(dir, "page.go")
	require.NoError(t, os.WriteFile(source, []byte("package page\n\n// A is made\n// anew for everybody.\nconst A = \"anew\"\n"), 0o600))
	b.Reset()
	faults, err = lint(&b, []string{source})
	require.NoError(t, err)
	require.Equal(t, 2, faults)
	require.Regexp(t, `^\S+page\.go:4: "everybody": .+\n\S+page\.go:4: "anew": .+\n$`, b.String())
	require.NoError(t, os.WriteFile(source, []byte("no Go"), 0o600))
	_, err = lint(&b, []string{source})
	require.ErrorContains(t, err, "page.go")
	_, err = lint(&b, nil)
	require.Error(t, err, "a pattern that finds no page is a mistake")
	_, err = lint(&b, []string{filepath.Join(dir, "none.md")})
	require.ErrorContains(t, err, "none.md")
}
