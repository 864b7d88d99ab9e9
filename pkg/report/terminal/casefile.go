package terminal

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// CaseFile writes the answer about one application: how it stands, and few statements. The wide form has the rest.
func CaseFile(w io.Writer, d *casefile.Document, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style}
	t.answer(d)
	return t.w.Flush()
}

// CaseFileHead writes what a scan of one application begins with, and an empty line.
func CaseFileHead(w io.Writer, d *casefile.Document, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style}
	t.answer(d)
	t.line(0, "")
	return t.w.Flush()
}

// WideCaseFile writes all that a case file holds.
func WideCaseFile(w io.Writer, d *casefile.Document, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, wide: true}
	t.ruled(d)
	t.rows(d.Rows())
	return t.w.Flush()
}

// answerIndent and labelWidth are the columns before a statement, and those of its label.
const answerIndent, labelWidth = 2, 8

// bar stands before a quote.
const bar = "│ "

// answer writes how the application stands, and the statements that answer why.
func (t *table) answer(d *casefile.Document) {
	name := report.Escape(d.Name())
	for i, line := range Wrap(name+" "+report.Escape(d.Headline()), t.style.width()-1) {
		if i == 0 {
			line = strings.Replace(line, name, t.style.paint(name, color.Bold)+" ", 1)
		}
		t.line(0, line)
	}
	t.line(0, "")
	for _, s := range t.shared(d.Answer()) {
		t.statement(d, &s)
	}
}

func (t *table) statement(d *casefile.Document, s *casefile.Statement) {
	label := s.Label + strings.Repeat(" ", max(0, labelWidth-len(s.Label)))
	rest := strings.Repeat(" ", labelWidth)
	if s.Proof {
		label, rest = bar, bar
	}
	width := t.style.width() - answerIndent - twwidth.Width(label)
	if s.Command != "" {
		t.line(answerIndent, label+report.Escape(s.Command))
		return
	}
	lines := Wrap(report.Escape(s.Text), width)
	if !s.Proof && s.Most > 0 && s.Label != casefile.ChangeLabel && len(lines) > s.Most {
		lines = inClauses(report.Escape(s.Text), s.Most, width)
		if len(lines) > s.Most {
			lines = withoutBrackets(strings.Join(lines, " "), width)
		}
		if handedOn(s.Text) {
			lines = around(lines, report.Escape(s.Text), s.Most, width)
		}
	}
	if s.Proof {
		if place, quoted := strings.CutSuffix(s.Text, s.Said); quoted && len(lines) > s.Most {
			lines = Wrap(report.Escape(place+withoutPackage(s.Said)), width)
		}
		if handedOn(s.Said) {
			lines = around(lines, report.Escape(s.Text), s.Most, width)
		}
	}
	for _, line := range atMost(lines, s.Most, width) {
		if s.Verdict {
			line = t.style.paint(line, tone(&d.Verdict))
		}
		t.line(answerIndent, label+line)
		label = rest
	}
	if s.Beneath != "" {
		for _, line := range atMost(Wrap(report.Escape(s.Beneath), width), s.Most, width) {
			t.line(answerIndent, rest+line)
		}
	}
}

// atMost keeps the first lines, and says that there are more. Zero keeps all.
func atMost(lines []string, most, width int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	last := lines[most-1]
	for twwidth.Width(last)+2 > width && strings.Contains(last, " ") {
		last = last[:strings.LastIndexByte(last, ' ')]
	}
	if twwidth.Width(last)+2 > width {
		last = last[:cmp.Or(divided(last, width-2, shortestPiece, paths, parts), fitting(last, width-2))]
	}
	lines[most-1] = strings.TrimLeft(last+" …", " ")
	return lines
}

// inClauses is as many of the clauses of a text as have room, at least the first: a reader misses less of a sentence that ends earlier than
// of one that breaks off.
func inClauses(text string, most, width int) []string {
	for {
		lines := Wrap(text, width)
		end := strings.LastIndex(text, "; ")
		if len(lines) <= most || end < 0 {
			return lines
		}
		text = text[:end]
	}
}

// withoutBrackets is a text without what it ends with in brackets.
func withoutBrackets(text string, width int) []string {
	depth := 0
	for i := len(text) - 1; i > 0 && strings.HasSuffix(text, ")"); i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return Wrap(strings.TrimSuffix(text[:i], " "), width)
		}
	}
	return Wrap(text, width)
}

// around keeps the first lines and the end, which often tells most: an error that was handed on begins with who did, and ends with what
// happened.
func around(lines []string, text string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	words := strings.Fields(text)
	last := "…"
	for at := len(words) - 1; at >= 0; at-- {
		longer := "… " + strings.Join(words[at:], " ")
		if twwidth.Width(longer) > width {
			break
		}
		last = longer
	}
	if last == "…" {
		return lines
	}
	return append(lines[:most-1:most-1], last)
}

// withoutPackage is what an exception says, "PACKAGE.CLASS: MESSAGE", without its package: where there is no room for all, the message
// tells more.
func withoutPackage(said string) string {
	class, message, names := strings.Cut(said, ": ")
	dot := strings.LastIndexByte(class, '.')
	name := class[dot+1:]
	if !names || dot < 0 || strings.ContainsAny(class, " /:") || name == "" || name[0] < 'A' || name[0] > 'Z' {
		return said
	}
	return name + ": " + message
}

// handedOn reports whether what is quoted, "CLASS: MESSAGE", has more than one message. What begins with another one was handed on.
func handedOn(said string) bool { return strings.Count(said, ": ") > 1 }

// tone is the color of a verdict; its words say the same.
func tone(v *casefile.Verdict) color.Attribute {
	unproven := !v.Fault() && v.Certainty != "proven"
	switch {
	case unproven || v.Class == "slowButProgressing" || v.Class == "unknown":
		return color.FgYellow
	case v.Fault():
		return color.FgRed
	default:
		return color.FgGreen
	}
}

// ruled writes how the application stands, and the verdict.
func (t *table) ruled(d *casefile.Document) {
	for i, line := range Wrap(report.Escape(d.Head()), t.style.width()) {
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
	lines := Wrap(report.Escape(v.Sentence()), t.style.width()-len(sure)-2)
	out := t.painted(tone(v), lines)
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
	t.beneath(indent, padded, report.Escape(row.Text))
	for _, command := range row.Commands {
		t.line(indent+len(padded)+2, report.Escape(command))
	}
}
