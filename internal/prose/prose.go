// Package prose finds wordings that this project does not use: those that hide the actor, that users never type into a search box, or
// that make a clause the subject of a sentence. Pages, messages and help share one list. A linter of Markdown such as Vale reads
// no rendered messages and no help, so it would need the list a second time.
package prose

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Fault is a wording that is wrong.
type Fault struct {
	Line           int // from 1
	Found, Instead string
}

func (f Fault) String() string {
	return fmt.Sprintf("%d: %q: write instead: %s", f.Line, f.Found, f.Instead)
}

// Text returns the faults of plain text, such as a message or the help of a command, in order. Quoted text is skipped.
func Text(s string) []Fault {
	first, size := utf8.DecodeRuneInString(s)
	if size > 0 { // a message is a sentence that begins in lower case
		s = string(unicode.ToUpper(first)) + s[size:]
	}
	return faults(s, 1, true)
}

// Markdown returns the faults of a page, in order. It skips code, addresses of links, HTML and quotations.
func Markdown(page []byte) []Fault {
	md := goldmark.New(goldmark.WithExtensions(extension.Table))
	var list []Fault
	_ = ast.Walk(md.Parser().Parse(text.NewReader(page)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindBlockquote:
			return ast.WalkSkipChildren, nil
		case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading, tables.KindTableCell:
			_, heading := n.(*ast.Heading)
			start, words := inline(n, page)
			heading = heading || n.Parent().Kind() == tables.KindTableHeader
			list = append(list, faults(words, 1+bytes.Count(page[:start], []byte("\n")), !heading)...)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return list
}

// inline returns the text of a block and where it starts in the page. Code and markup are masked, so that lines still count.
func inline(block ast.Node, page []byte) (start int, words string) {
	start, end := len(page), 0
	var own, others []text.Segment
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, is := n.(*ast.Text)
		if !entering || !is {
			return ast.WalkContinue, nil
		}
		start, end = min(start, t.Segment.Start), max(end, t.Segment.Stop)
		if t.Parent().Kind() == ast.KindCodeSpan {
			others = append(others, t.Segment)
		} else {
			own = append(own, t.Segment)
		}
		return ast.WalkContinue, nil
	})
	if end == 0 {
		return 0, ""
	}
	masked := slices.Clone(page[start:end])
	for i, c := range masked {
		if c != '\n' {
			masked[i] = ' '
		}
	}
	for _, s := range own {
		copy(masked[s.Start-start:], page[s.Start:s.Stop])
	}
	for _, s := range others {
		for i := s.Start; i < s.Stop; i++ {
			masked[i-start] = '_'
		}
	}
	return start, string(masked)
}

// faults finds what the rules name in a text that begins in the given line.
func faults(s string, line int, openings bool) []Fault {
	s = regexp.MustCompile(`"[^"]*"`).ReplaceAllStringFunc(s, func(quoted string) string {
		return regexp.MustCompile(`[^\n"]`).ReplaceAllString(quoted, "_")
	})
	var list []Fault
	add := func(at int, found string, r Rule) {
		list = append(list, Fault{line + strings.Count(s[:at], "\n"), strings.Join(strings.Fields(found), " "), r.Instead})
	}
	for _, r := range Words() {
		for _, at := range r.Pattern.FindAllStringIndex(s, -1) {
			add(at[0], s[at[0]:at[1]], r)
		}
	}
	for _, at := range regexp.MustCompile(`[^.!?\s][^.!?]*(?:[.!?]+[^.!?\s]+[^.!?]*)*[.!?]*`).FindAllStringIndex(s, -1) {
		sentence := s[at[0]:at[1]]
		for _, r := range Openings() {
			if found := r.Pattern.FindString(sentence); openings && found != "" && !strings.HasSuffix(sentence, "?") {
				add(at[0], found, r)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Fault) int { return a.Line - b.Line })
	return list
}
