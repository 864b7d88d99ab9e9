package html

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// render turns the page of a check, which is ours, into HTML that fits below a heading of the report. Raw HTML in it
// is left out. A table scrolls by itself where it is wider than the page.
func render(markdown []byte) (template.HTML, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table))
	document := md.Parser().Parse(text.NewReader(markdown))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, is := n.(*ast.Heading); is {
			h.Level = min(h.Level+2, 6)
		}
	}
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, markdown, document); err != nil {
		return "", err
	}
	out := strings.NewReplacer("<table>", `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`,
		"</table>", "</table></div>").Replace(b.String())
	return template.HTML(out), nil //nolint:gosec // the embedded pages of the checks
}
