package arch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

var (
	link    = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	fenced  = regexp.MustCompile("(?s)\n```.*?\n```|(?m)^    [^\n]*$|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinksLead: what a page names is there, down to the heading. Addresses elsewhere are not asked.
func TestLinksLead(t *testing.T) {
	links := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || d.Name() == "node_modules" ||
			d.Name() == "bin" || d.Name() == "dist") {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(target, "#")
			there := path
			if file != "" {
				there = filepath.Join(filepath.Dir(path), file)
				_, err := os.Stat(there)
				require.NoError(t, err, "%s links to %s", path, target)
			}
			if anchor != "" {
				require.Contains(t, anchors(t, there), anchor, "%s links to %s", path, target)
			}
		}
		return nil
	}))
	require.Greater(t, links, 80)
}

// anchors are what GitHub makes of the headings of a page.
func anchors(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)
	var out []string
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		slug := strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")
		out = append(out, regexp.MustCompile(`[^\w-]`).ReplaceAllString(slug, ""))
	}
	return out
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
