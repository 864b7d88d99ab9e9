package terminal

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Page writes Markdown, the page of a check, for a terminal: paragraphs wrapped, headings and code painted, issues as links that
// terminals open (OSC 8). The text of the page must be ours: it is not escaped.
func Page(w io.Writer, markdown []byte, style Style) error {
	p := &page{w: bufio.NewWriter(w), style: style, source: markdown}
	document := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(markdown))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		p.block(n, "", "")
	}
	return p.w.Flush()
}

type page struct {
	w      *bufio.Writer
	style  Style
	source []byte
}

// block writes a block. The first of its lines begins with first, the others with rest.
func (p *page) block(n ast.Node, first, rest string) {
	switch n := n.(type) {
	case *ast.Heading:
		attributes := []color.Attribute{color.Bold}
		if n.Level > 1 {
			attributes = append(attributes, color.FgCyan)
		}
		p.line(first + p.style.paint(p.inline(n, false), attributes...))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			segment := n.Lines().At(i)
			p.line(rest + "    " + p.style.paint(strings.TrimRight(string(segment.Value(p.source)), "\n"), color.Faint))
		}
	case *ast.HTMLBlock:
		return
	case *ast.List:
		p.list(n, rest)
		if n.Parent().Kind() == ast.KindDocument {
			p.line("")
		}
		return
	case *extast.Table:
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			var cells []string
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				cells = append(cells, p.inline(cell, true))
			}
			p.line(rest + strings.Join(cells, "  |  "))
		}
	default:
		p.wrapped(p.inline(n, true), first, rest)
	}
	if n.Parent().Kind() == ast.KindDocument {
		p.line("")
	}
}

func (p *page) list(list *ast.List, indent string) {
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "- "
		if list.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		first, rest := indent+mark, indent+strings.Repeat(" ", len(mark))
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			p.block(n, first, rest)
			first = rest
		}
	}
}

// inline is the text of a block; painted, code and links stand out.
func (p *page) inline(n ast.Node, painted bool) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(p.source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.CodeSpan:
			b.WriteString(p.emphasis(p.inline(c, false), painted, color.FgYellow))
		case *ast.Emphasis:
			b.WriteString(p.emphasis(p.inline(c, painted), painted, color.Bold))
		case *ast.Link:
			b.WriteString(p.inline(c, painted) + " (" + string(c.Destination) + ")")
		case *ast.AutoLink:
			b.Write(c.URL(p.source))
		default:
			b.WriteString(p.inline(c, painted))
		}
	}
	return b.String()
}

// emphasis paints each word by itself, so that lines can be broken between them.
func (p *page) emphasis(s string, painted bool, attribute color.Attribute) string {
	if !painted || !p.style.Color {
		return s
	}
	words := strings.Split(s, " ")
	for i := range words {
		words[i] = p.style.paint(words[i], attribute)
	}
	return strings.Join(words, " ")
}

func (p *page) wrapped(s, first, rest string) {
	for _, line := range Wrap(s, p.style.width()-twwidth.Width(rest)) {
		p.line(first + p.linked(line))
		first = rest
	}
}

// linked makes issues and addresses in a line links, where the terminal opens them.
func (p *page) linked(line string) string {
	if p.style.PageOf == nil {
		return line
	}
	return regexp.MustCompile(`https://[^\s),;]+|\b([\w.-]+/[\w.-]+)#(\d+)`).ReplaceAllStringFunc(line, func(found string) string {
		address := found
		if repository, number, issue := strings.Cut(found, "#"); issue && !strings.HasPrefix(found, "https://") {
			address = "https://github.com/" + repository + "/issues/" + number
		}
		return link(address, found)
	})
}

func (p *page) line(s string) { _, _ = fmt.Fprintln(p.w, s) } // Flush returns the error
