package markdown_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// rendered is what a Markdown text means in GitHub's flavour.
type rendered struct {
	headings, cells, links, images []string
	rows                           int
	raw                            []string // HTML
}

func renderMarkdown(t *testing.T, write func(*bytes.Buffer) error) rendered {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	source := b.Bytes()
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var out rendered
	require.NoError(t, ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			out.headings = append(out.headings, plainText(n, source))
		case *tables.TableRow:
			out.rows++
		case *tables.TableCell:
			out.cells = append(out.cells, plainText(n, source))
		case *ast.Link:
			out.links = append(out.links, string(n.Destination))
		case *ast.AutoLink:
			out.links = append(out.links, string(n.URL(source)))
		case *ast.Image:
			out.images = append(out.images, string(n.Destination))
		case *ast.RawHTML:
			out.raw = append(out.raw, string(n.Segments.Value(source)))
		case *ast.HTMLBlock:
			out.raw = append(out.raw, "block")
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			out.raw = append(out.raw, "code")
		}
		return ast.WalkContinue, nil
	}))
	return out
}

// plainText is what a reader sees.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if c.Parent().Kind() == ast.KindCodeSpan {
				b.Write(c.Value(source))
			} else {
				b.WriteString(unescapeMarkdown(string(c.Value(source))))
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.RawHTML:
		default:
			b.WriteString(plainText(c, source))
		}
	}
	return b.String()
}

// unescapeMarkdown takes the backslashes off that the renderer of goldmark takes off.
func unescapeMarkdown(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func TestMarkdownSaysWhatTheReportSays(t *testing.T) {
	r := reporttest.Night()
	got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
	require.Equal(t, "Spark on Kubernetes: 3 errors, 2 warnings, 1 info", got.headings[0])
	require.Equal(t, "ERROR SD2001 cross-namespace-owner", got.headings[1])
	require.Equal(t, len(r.Items)+1, got.rows, "each finding, and the check that is not applicable")
	require.Contains(t, got.cells, "team-a sparkapplication/etl")
	require.Contains(t, got.cells, r.Items[0].Message)
	require.Contains(t, got.cells, "dump/apps.yaml:41")
	require.Contains(t, got.cells, "team-a pod/etl-exec-1 and 11 more")
	require.Contains(t, got.cells, "the input holds no mutatingwebhookconfigurations.admissionregistration.k8s.io")

	partial := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, reporttest.Partial()) })
	require.Equal(t, []string{"Spark on Kubernetes: No findings in what could be looked at", "What could not be judged"}, partial.headings)
	require.Contains(t, partial.cells, "could not list mutatingwebhookconfigurations: forbidden")
}

// TestMarkdownIsInert: a name is text, whatever it holds. The links are those of the catalogue, the only HTML is
// the comment that keeps a sign from being a mention, and code is a command to run.
func TestMarkdownIsInert(t *testing.T) {
	r := reporttest.Night()
	got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
	for _, link := range got.links {
		require.True(t, strings.HasPrefix(link, "https://github.com/sparkdoctor/"), link)
	}
	require.Empty(t, got.images)
	require.NotEmpty(t, got.raw)
	for _, html := range got.raw {
		require.Contains(t, []string{"<!-- -->", "code"}, html)
	}
	require.Contains(t, got.cells, report.Escape(`likely: owner Workflow "`+reporttest.Escapes+`" lives in namespace "argo", not in "team-b"`),
		"and nothing of it is lost")
	for _, cell := range got.cells {
		require.NotRegexp(t, "@all@|^@all", cell)
	}
}

// TestStepSummaryFits: GitHub drops a summary above 1 MiB whole.
func TestStepSummaryFits(t *testing.T) {
	r := reporttest.Night()
	for len(r.Items) < 4000 {
		r.Items = append(r.Items, r.Items[3])
	}
	var b bytes.Buffer
	require.NoError(t, markdown.StepSummary(&b, r))
	require.Less(t, b.Len(), 1<<20)
	require.Regexp(t, `\n\d+ more findings are left out here\.\n`, b.String())
	require.Contains(t, b.String(), "## What could not be judged")
	b.Reset()
	require.NoError(t, markdown.Write(&b, r))
	require.NotContains(t, b.String(), "left out")
}

// FuzzMarkdownIsInert: whatever a name or a message holds, the table has one row, and its cells are the text.
func FuzzMarkdownIsInert(f *testing.F) {
	for _, seed := range []string{"", reporttest.Escapes, "a|b", "\\|", "`x`", "**a**", "<a href=x>", "http://x.example", "www.x.example",
		"a@b.example", "[a]: b", "~~x~~", "&amp;", "![a](b)", "- [ ] x", "# x", "1. x", " x ", "x\\"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, message string) {
		r := reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Owner(),
			Findings: []check.Reported{reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-a", name), check.Error, message)}})
		got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
		require.Equal(t, 1, got.rows)
		require.Len(t, got.cells, 6, "three of the header, three of the row")
		require.Equal(t, []string{"https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/docs/checks/SD2001.md"}, got.links)
		require.Empty(t, got.images)
		for _, html := range got.raw {
			require.Contains(t, []string{"<!-- -->", "code"}, html)
		}
		require.Equal(t, strings.TrimSpace(report.Escape(message)), strings.TrimSpace(got.cells[4]))
	})
}
