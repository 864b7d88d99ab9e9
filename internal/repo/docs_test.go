package repo_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// TestReadmeLeadsToEveryPage: the README leads to the index, which leads to every page for users.
func TestReadmeLeadsToEveryPage(t *testing.T) {
	require.Contains(t, pageOf(t, "README.md").links, "docs/README.md")
	index := pageOf(t, "docs/README.md").links
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, file := range pages {
		if name := filepath.Base(file); name != "README.md" {
			require.Contains(t, index, name, "docs/README.md does not lead to %s", file)
		}
	}
}

// TestTroubleshootingQuotesMessages: each message that the page explains is one that the program still prints. The page has … where
// the program puts names and numbers; what stands between must be in a string of the code.
func TestTroubleshootingQuotesMessages(t *testing.T) {
	said := messages(t)
	quoted := pageOf(t, "docs/troubleshooting.md").quoted
	require.Greater(t, len(quoted), 30)
	for _, message := range quoted {
		for part := range strings.SplitSeq(message, "…") {
			if !strings.Contains(said, strings.TrimSpace(part)) {
				t.Errorf("docs/troubleshooting.md: no message of the program holds %q: has %q other words now?", part, message)
			}
		}
	}
}

// messages are the strings of the program, those that a + joins as one.
func messages(t *testing.T) string {
	t.Helper()
	var said strings.Builder
	for _, root := range []string{"cmd", "pkg"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path) // #nosec G304 -- a test
			if err != nil {
				return err
			}
			var s scanner.Scanner
			s.Init(token.NewFileSet().AddFile(path, -1, len(source)), source, nil, 0)
			joined := true
			for {
				_, tok, literal := s.Scan()
				switch {
				case tok == token.EOF:
					return nil
				case tok == token.STRING:
					text, err := strconv.Unquote(literal)
					if err != nil {
						return err
					}
					if !joined {
						said.WriteByte('\n')
					}
					said.WriteString(text)
				}
				joined = tok == token.ADD
			}
		}))
	}
	return said.String()
}

// TestGateNamesItsHops: the page lists the releases by which an upgrade is told.
func TestGateNamesItsHops(t *testing.T) {
	text, err := os.ReadFile("docs/gate.md")
	require.NoError(t, err)
	words := make([]string, 0, len(operator.Hops()))
	for _, hop := range operator.Hops() {
		words = append(words, hop.String())
	}
	require.Contains(t, strings.Join(strings.Fields(string(text)), " "), "that is not older: "+strings.Join(words, ", ")+". ")
}
