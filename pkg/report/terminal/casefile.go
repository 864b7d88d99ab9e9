package terminal

import (
	"bufio"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/why"
)

// CaseFile writes the answer about one application: how it stands, the verdict with its certainty at the right margin, and what
// belongs to it.
func CaseFile(w io.Writer, d *why.Document, style Style) error { return caseFile(w, d, style, true) }

// WideCaseFile writes all that a case file holds.
func WideCaseFile(w io.Writer, d *why.Document, style Style) error {
	return caseFile(w, d, style, false)
}

func caseFile(w io.Writer, d *why.Document, style Style, short bool) error {
	t := &table{w: bufio.NewWriter(w), style: style, wide: !short}
	head := wrap(report.Escape(d.Head()), style.width())
	for i, line := range head {
		if i == 0 {
			line = strings.Replace(line, d.Name(), style.paint(d.Name(), color.Bold), 1)
		}
		t.line(0, line)
	}
	for _, line := range t.ruling(&d.Verdict) {
		t.line(0, line)
	}
	last := ""
	for _, row := range d.Rows(short) {
		label := row.Label
		if label == last {
			label = ""
		}
		last = row.Label
		t.row(label, row)
	}
	return t.w.Flush()
}

// ruling is the verdict, painted, with its certainty at the right margin.
func (t *table) ruling(v *why.Verdict) []string {
	sure := v.Sure()
	lines := wrap(report.Escape(v.Sentence()), t.style.width()-len(sure)-2)
	attribute := color.FgGreen
	if v.Fault() {
		attribute = color.FgRed
	}
	if !v.Fault() && v.Certainty != "proven" || v.Class == "slowButProgressing" || v.Class == "unknown" {
		attribute = color.FgYellow
	}
	out := t.painted(attribute, lines)
	if sure != "" {
		out[0] += strings.Repeat(" ", max(2, t.style.width()-twwidth.Width(lines[0])-len(sure))) + sure
	}
	return out
}

// row writes a text to the right of its label, and commands below it as they are.
func (t *table) row(label string, row why.Row) {
	indent := 0
	if row.Inner {
		indent = 2
	}
	padded := label + strings.Repeat(" ", max(1, len("executors ")-len(label)))
	t.labelled(indent, padded, report.Escape(row.Text))
	for _, command := range row.Commands {
		t.line(indent+len(padded)+2, report.Escape(command))
	}
}
