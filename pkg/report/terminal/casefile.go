package terminal

import (
	"bufio"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// CaseFile writes the answer about one application: how it stands, the verdict with its certainty at the right margin, and what
// belongs to it.
func CaseFile(w io.Writer, d *casefile.Document, style Style) error {
	return caseFile(w, d, style, true)
}

// CaseFileHead writes what a scan of one application begins with, and an empty line.
func CaseFileHead(w io.Writer, d *casefile.Document, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style}
	t.ruled(d)
	t.rows(d.Brief())
	t.line(0, "")
	return t.w.Flush()
}

// WideCaseFile writes all that a case file holds.
func WideCaseFile(w io.Writer, d *casefile.Document, style Style) error {
	return caseFile(w, d, style, false)
}

func caseFile(w io.Writer, d *casefile.Document, style Style, short bool) error {
	t := &table{w: bufio.NewWriter(w), style: style, wide: !short}
	t.ruled(d)
	t.rows(d.Rows(short))
	return t.w.Flush()
}

// ruled writes how the application stands, and the verdict.
func (t *table) ruled(d *casefile.Document) {
	for i, line := range wrap(report.Escape(d.Head()), t.style.width()) {
		if i == 0 {
			line = strings.Replace(line, d.Name(), t.style.paint(d.Name(), color.Bold), 1)
		}
		t.line(0, line)
	}
	t.aligned(t.ruling(&d.Verdict))
}

// rows writes a label once for rows that follow each other.
func (t *table) rows(list []casefile.Row) {
	last := ""
	for _, row := range list {
		label := row.Label
		if label == last {
			label = ""
		}
		last = row.Label
		t.row(label, row)
	}
}

// ruling is the verdict, painted, with its certainty to the right of it.
func (t *table) ruling(v *casefile.Verdict) []tagged {
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
	out[0].tag = sure
	return out
}

// row writes a text to the right of its label, and commands below it as they are.
func (t *table) row(label string, row casefile.Row) {
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
