package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// gate is the report of a gate for a comment on a pull request: the verdict, what breaks by hop, the runbook as a
// list to tick off, and the findings, as far as they fit into so many bytes.
func gate(w io.Writer, r *report.Report, limit int) error {
	g := r.Gate
	m := &gateComment{limit: limit}
	fmt.Fprintf(&m.b, "# %s: Spark Operator %s\n\n", g.Verdict, inert(g.Versions()))
	fmt.Fprintf(&m.b, "**%s**\n\n", inert(g.Because))
	for _, text := range r.BrokenLinks() {
		fmt.Fprintf(&m.b, "> **%s**: %s\n\n", report.BrokenTitle, inert(text))
	}
	if g.Controller != "" {
		fmt.Fprintf(&m.b, "- upgraded: %s\n", code(g.Controller))
	}
	if way := g.HopsText(); way != "" {
		fmt.Fprintf(&m.b, "- hops: %s\n", inert(way))
	}
	if g.Release != nil {
		fmt.Fprintf(&m.b, "- Helm release: %s\n", code(g.Release.Text()))
	}
	for _, f := range r.Facts() {
		fmt.Fprintf(&m.b, "- %s: %s\n", f.Label, inert(f.Text))
	}
	m.breaks(r)
	m.runbook(g)
	if len(r.Items) > 0 {
		m.b.WriteString("\n<details><summary>All findings</summary>\n")
		writeFindings(&m.b, r, limit)
		m.b.WriteString("\n</details>\n")
	}
	writeEnd(&m.b, r)
	_, err := w.Write(m.b.Bytes())
	return err
}

// gateComment is Markdown that may not become longer than the limit.
type gateComment struct {
	b     bytes.Buffer
	limit int
}

// full reports whether there is no room for more.
func (m *gateComment) full() bool { return m.b.Len() > m.limit }

// breaks is a table of what was found, a row for each hop and check.
func (m *gateComment) breaks(r *report.Report) {
	list := r.Breaks()
	if len(list) == 0 {
		return
	}
	m.b.WriteString("\n## What breaks\n\n| hop | check | findings | objects |\n| --- | --- | --- | --- |\n")
	for i := range list {
		one := &list[i]
		var objects []string
		for j := range one.Items[:min(len(one.Items), report.ShownObjects)] {
			objects = append(objects, code(one.Items[j].Subject()))
		}
		if more := len(one.Items) - len(objects); more > 0 {
			objects = append(objects, fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(&m.b, "| %s | [%s](%s) %s | %s | %s |\n", inert(cmp.Or(one.Hop, "any")), one.Check, one.Docs, one.Slug, one.Counts(),
			strings.Join(objects, ", "))
	}
}

// runbook is the list to tick off; its numbers are those of the other formats.
func (m *gateComment) runbook(g *report.Gate) {
	if len(g.Runbook) == 0 {
		return
	}
	m.b.WriteString("\n## Runbook\n")
	for _, time := range report.Stages() {
		steps, first := g.Numbered(time.When)
		if len(steps) == 0 {
			continue
		}
		fmt.Fprintf(&m.b, "\n### %s\n", time.Title)
		for i := range steps {
			if m.full() {
				fmt.Fprintf(&m.b, "\n%s are left out here.\n", phrase.Counted(len(steps)-i, "more step"))
				break
			}
			m.step(first+i, &steps[i], g.Origin(&steps[i]))
		}
	}
}

// step is one task. What belongs to it is indented, so that it stays within the list.
func (m *gateComment) step(number int, s *report.GateStep, from string) {
	fmt.Fprintf(&m.b, "\n- [ ] **%d. %s**%s<br>%s\n", number, inert(s.Do), inert(from), inert(s.Because))
	if n := len(s.Objects); n > report.ShownObjects {
		fmt.Fprintf(&m.b, "\n  <details><summary>%s</summary>\n\n", phrase.Counted(n, "object"))
		m.objects(s)
		m.b.WriteString("\n  </details>\n")
	} else if n > 0 {
		m.b.WriteByte('\n')
		m.objects(s)
	}
	if len(s.Lines) > 0 {
		writeCommands(&m.b, s.Lines, len(s.Lines))
	}
	if len(s.Commands) > 0 {
		writeCommands(&m.b, s.Commands, report.ShownCommands)
	}
}

func (m *gateComment) objects(s *report.GateStep) {
	for i, o := range s.Objects {
		if m.full() {
			fmt.Fprintf(&m.b, "  - %s\n", report.AndMore(len(s.Objects)-i, "in the JSON report"))
			return
		}
		fmt.Fprintf(&m.b, "  - %s\n", code(report.Display(o)))
	}
}
