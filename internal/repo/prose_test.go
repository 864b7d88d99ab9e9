package repo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
)

// TestPagesAreInPlainEnglish reads all Markdown that is committed, but for copies of what is tested where it is made: the pages of checks
// in docs/checks, and the help in docs/reference. Of the changelog it reads the newest section: what was released stays as it is.
func TestPagesAreInPlainEnglish(t *testing.T) {
	var read []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != "."
		if d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules", "bin", "dist", "checks", "reference"}, d.Name()) &&
			path != filepath.Join("pkg", "checks")) {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		page, err := os.ReadFile(path) // #nosec G304 -- a test
		if err != nil {
			return err
		}
		if path == "CHANGELOG.md" {
			page = newestSection(page)
		}
		read = append(read, path)
		for _, f := range prose.Markdown(page) {
			t.Errorf("%s:%s", path, f)
		}
		return nil
	}))
	require.Contains(t, read, filepath.Join("pkg", "checks", "webhook", "webhook_missing.md"))
	require.Subset(t, read, []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", filepath.Join("docs", "gate.md")})
}

// newestSection is the changelog up to its second release.
func newestSection(page []byte) []byte {
	sections := strings.Split(string(page), "\n## ")
	return []byte(strings.Join(sections[:min(2, len(sections))], "\n## "))
}
