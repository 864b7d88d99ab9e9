package repo_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// repository is the address of the files of this repository; what is behind it is followed as a link within.
const repository = "https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/"

var (
	attribute = regexp.MustCompile(`(?:src|srcset|href)="([^"]+)"`)
	published = regexp.MustCompile(regexp.QuoteMeta(repository) + `[\w./#-]+`)
)

// TestLinksLead follows all links of the committed Markdown, and of what deploy hands out, to a file and to the heading in it.
// It does not ask addresses elsewhere.
func TestLinksLead(t *testing.T) {
	links := 0
	for _, path := range markdown(t) {
		for _, target := range pageOf(t, path).links {
			if rest, ours := strings.CutPrefix(target, repository); ours {
				target = filepath.ToSlash(upTo(path)) + rest
			} else if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			requireTarget(t, path, target)
		}
	}
	require.Greater(t, links, 180)
	alerts, err := os.ReadFile("deploy/monitoring/alerts.yaml")
	require.NoError(t, err)
	found := published.FindAllString(string(alerts), -1)
	require.NotEmpty(t, found)
	for _, address := range found {
		if !strings.HasSuffix(address, "/") { // what follows is a label
			requireTarget(t, "alerts.yaml", strings.TrimPrefix(address, repository))
		}
	}
}

// upTo leads from a file to the root.
func upTo(path string) string {
	return strings.Repeat("../", strings.Count(filepath.ToSlash(path), "/"))
}

func requireTarget(t *testing.T, path, target string) {
	t.Helper()
	file, anchor, _ := strings.Cut(target, "#")
	there := path
	if file != "" {
		there = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
		_, err := os.Stat(there)
		require.NoError(t, err, "%s links to %s", path, target)
	}
	if anchor != "" {
		require.Contains(t, pageOf(t, there).anchors, anchor, "%s links to %s", path, target)
	}
}

// TestAnchors: what GitHub makes of headings, for code, signs, repetition, and what is only code.
func TestAnchors(t *testing.T) {
	p := read([]byte("# A b\n\n## `x …` (y), Z?\n\n```\n# not this\n```\n\n## A b\n\n[l](m.md#n) `[no](no.md)` <img src=\"p.svg\">\n\n    " +
		"[no](no.md)\n"))
	require.Equal(t, []string{"a-b", "x--y-z", "a-b-1"}, p.anchors)
	require.Equal(t, []string{"m.md#n", "p.svg"}, p.links)
	require.Equal(t, []string{"x …"}, p.quoted)
}

// page is what tests ask of a page.
type page struct {
	links, anchors []string
	quoted         []string // the code of headings that begin with it
}

func pageOf(t *testing.T, file string) page {
	t.Helper()
	source, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)
	return read(source)
}

func read(source []byte) page {
	var p page
	seen := map[string]int{}
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.RawHTML:
			p.links = append(p.links, attributes(n.Segments, source)...)
		case *ast.HTMLBlock:
			p.links = append(p.links, attributes(n.Lines(), source)...)
		case *ast.Heading:
			words := plain(n, source)
			p.anchors = append(p.anchors, anchor(words, seen))
			if code, is := n.FirstChild().(*ast.CodeSpan); is {
				p.quoted = append(p.quoted, plain(code, source))
			}
		}
		return ast.WalkContinue, nil
	})
	return p
}

func attributes(list *text.Segments, source []byte) []string {
	var out []string
	for _, m := range attribute.FindAllSubmatch(list.Value(source), -1) {
		out = append(out, string(m[1]))
	}
	return out
}

// plain is the text of a node without its marks.
func plain(of ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(of, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if word, is := n.(*ast.Text); is && entering {
			b.Write(word.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// anchor is what GitHub makes of a heading (gjtorikian/html-pipeline, toc_filter.rb): lower case, no signs but - and _, and a
// number from the second one on.
func anchor(heading string, seen map[string]int) string {
	slug := regexp.MustCompile(`[^\p{L}\p{M}\p{N}_ -]`).ReplaceAllString(strings.ToLower(heading), "")
	slug = strings.ReplaceAll(slug, " ", "-")
	n := seen[slug]
	seen[slug]++
	if n > 0 {
		return fmt.Sprintf("%s-%d", slug, n)
	}
	return slug
}

// markdown are the committed pages.
func markdown(t *testing.T) []string {
	t.Helper()
	var pages []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != "."
		if d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules", "bin", "dist"}, d.Name())) {
			return fs.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			pages = append(pages, filepath.ToSlash(path))
		}
		return nil
	}))
	return pages
}
