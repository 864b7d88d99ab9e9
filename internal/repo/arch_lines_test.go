package repo_test

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestLinesAreNarrow holds every line of Go, also of tests, to 140 columns, but for generated files and text in backquotes.
func TestLinesAreNarrow(t *testing.T) {
	seen := 0
	for _, root := range []string{".", "cmd", "examples", "internal", "pkg", "test", "tools"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "node_modules" || root == "." && path != root):
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go"):
				return nil
			}
			text, err := os.ReadFile(path) // #nosec G304 -- a test
			if err != nil || bytes.Contains(text, []byte("// Code generated ")) {
				return err
			}
			seen++
			require.Empty(t, wideLines(text), path)
			return nil
		}))
	}
	require.Greater(t, seen, 1000)
}

func TestWideLines(t *testing.T) {
	wide := strings.Repeat("ä", 141)
	require.Equal(t, []int{3, 8}, wideLines([]byte("package a\n\n// "+wide+"\n\nconst b = `\n"+wide+"`\n\nvar c = \""+wide+"\"\n")))
	require.Empty(t, wideLines([]byte("package a\n\n//"+wide[:2*138]+"\n")))
}

// wideLines returns the numbers of the lines that are too wide, counted in characters. Text in backquotes is as it is.
func wideLines(text []byte) []int {
	const most = 140
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	verbatim := map[int]bool{}
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for pos, kind, literal := s.Scan(); kind != token.EOF; pos, kind, literal = s.Scan() {
		if kind == token.STRING && literal[0] == '`' {
			for i := range strings.Count(literal, "\n") + 1 {
				verbatim[file.Line(pos)+i] = true
			}
		}
	}
	var wide []int
	for i, line := range bytes.Split(text, []byte("\n")) {
		if !verbatim[i+1] && utf8.RuneCount(line) > most {
			wide = append(wide, i+1)
		}
	}
	return wide
}
