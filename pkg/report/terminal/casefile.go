package terminal

import (
	"bufio"
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
	for i, line := range Wrap(name+" "+report.Escape(d.Headline()), t.style.width()) {
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

// mostLines are those of all statements of an answer.
const mostLines = 10

// shared gives the lines that some statements leave free to those that would be cut, the first of them first, and quotes last.
func (t *table) shared(list []casefile.Statement) []casefile.Statement {
	free, wants := mostLines, make([]int, len(list))
	for i := range list {
		s := &list[i]
		width := t.style.width() - answerIndent - labelWidth
		if s.Proof {
			width = t.style.width() - answerIndent - twwidth.Width(bar)
		}
		wants[i] = len(Wrap(report.Escape(s.Text), width))
		free -= max(1, min(wants[i], s.Most))
		if s.Beneath != "" {
			free -= min(len(Wrap(report.Escape(s.Beneath), t.style.width()-answerIndent-labelWidth)), s.Most)
		}
		if s.Command != "" {
			wants[i] = 0
		}
	}
	if free < 0 {
		free += t.reasonsLeftOut(list)
	}
	free += fromQuotes(list, wants, max(0, wants[0]-list[0].Most-free))
	for _, quoted := range []bool{false, true} {
		for i := range list {
			if s := &list[i]; s.Most > 0 && s.Proof == quoted && s.Beneath == "" {
				more := max(0, min(wants[i]-s.Most, free))
				if quoted && s.Most+more < wants[i] {
					continue // a longer beginning tells no more
				}
				s.Most, free = s.Most+more, free-more
			}
		}
	}
	return list
}

// reasonsLeftOut leaves out why values are what they are, where an answer has no room for it. It returns the lines that this frees.
func (t *table) reasonsLeftOut(list []casefile.Statement) (lines int) {
	for i := range list {
		if s := &list[i]; s.Beneath != "" {
			lines += min(len(Wrap(report.Escape(s.Beneath), t.style.width()-answerIndent-labelWidth)), s.Most)
			s.Beneath = ""
		}
	}
	return lines
}

// fewestQuoted are the lines that a quote keeps: its place, and what tells.
const fewestQuoted = 2

// fromQuotes takes lines from quotes for the statement above them, which answers: as many as it needs, and there are.
func fromQuotes(list []casefile.Statement, wants []int, needs int) (taken int) {
	for i := range list {
		if s := &list[i]; s.Proof {
			has := min(s.Most, wants[i])
			more := min(max(0, has-fewestQuoted), needs-taken)
			s.Most, taken = has-more, taken+more
		}
	}
	return taken
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
	if s.Proof {
		if place, quoted := strings.CutSuffix(s.Text, s.Said); quoted && len(lines) > s.Most {
			lines = Wrap(report.Escape(place+withoutPackage(s.Said)), width)
		}
		if handedOn(s.Said) {
			lines = around(lines, s.Most, width)
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
	lines[most-1] = last + " …"
	return lines
}

// around keeps the first lines and the end, which often tells most: an error that was handed on begins with who did, and ends with what
// happened.
func around(lines []string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	words := strings.Fields(strings.Join(lines[most-1:], " "))
	last := "…"
	for at := len(words) - 1; at >= 0; at-- {
		longer := "… " + strings.Join(words[at:], " ")
		if twwidth.Width(longer) > width {
			break
		}
		last = longer
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
