package repo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// opens are the files that open others without await. A FIFO may never deliver, and a signal does not interrupt what reads one: what a
// user names is read by await.Open and await.ReadFile.
var opens = map[string]string{
	"cmd/kubectl-sparkdoctor/internal/cli/completion.go":  "its own script, which it wrote",
	"cmd/kubectl-sparkdoctor/internal/records/records.go": "regular files only",
	"pkg/check/checktest/fixture.go":                      "fixtures of tests",
	"pkg/collect/await/await.go":                          "it is what the others use",
	"pkg/collect/manifests/disk.go":                       "regular files only, after they were read",
	"pkg/durable/disk.go":                                 "writes only",
	"pkg/durable/durabletest/full.go":                     "of tests",
}

// TestFilesAreAwaited holds that every other file is read with a context.
func TestFilesAreAwaited(t *testing.T) {
	open, seen := regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile)\(`), map[string]bool{}
	for _, root := range []string{"cmd", "pkg"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path) // #nosec G304 -- a test
			if open.Match(text) {
				seen[path] = true
				require.Containsf(t, opens, path, "%s opens files without await", path)
			}
			return err
		}))
	}
	require.Len(t, seen, len(opens), "a file of the list opens nothing any more")
}

// TestFilesAreWrittenOnce holds that every file which the tool leaves behind is written by durable, on which a full disk destroys nothing.
func TestFilesAreWrittenOnce(t *testing.T) {
	write := regexp.MustCompile(`\bos\.(Create|CreateTemp|OpenFile|WriteFile|Rename|Link|Symlink|Truncate|NewFile)\(`)
	writers := []string{"pkg/durable/disk.go", "pkg/durable/durabletest/full.go",
		"pkg/why/corpus/case.go",                             // of tests
		"cmd/kubectl-sparkdoctor/internal/reference/main.go", // makes docs, and is no part of the tool
	}
	var seen []string
	for _, root := range []string{"cmd", "pkg"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path) // #nosec G304 -- a test
			if write.Match(text) {
				seen = append(seen, filepath.ToSlash(path))
			}
			return err
		}))
	}
	require.ElementsMatch(t, writers, seen)
}
