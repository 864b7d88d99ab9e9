package terminal

import (
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// maxVerdict is how many lines the verdict takes at most: what fits on a screen below a prompt.
const maxVerdict = 12

// rowIndent is where the text of a row begins.
const rowIndent = 6

// How many lines the texts of a block take at most.
const (
	maxHead = 2
	maxRow  = 2
)

// conclude makes the verdict before anything is written: what it tells in full is not told twice.
func (t *table) conclude(r *report.Report) {
	if r.Verdict != nil {
		t.ending = t.verdictLines(r)
	}
}

// verdict ends the report: what is broken, why, and what to do.
func (t *table) verdict() {
	if len(t.ending) > 0 {
		t.line(0, "")
	}
	t.aligned(t.ending)
}

// aligned writes lines with the words to the right of them below each other.
func (t *table) aligned(lines []tagged) {
	right := min(t.style.width(), nearMargin)
	for _, l := range lines {
		if l.tag != "" {
			right = min(max(right, l.width+tagGap+twwidth.Width(l.tag)), t.style.width())
		}
	}
	for _, l := range lines {
		if l.tag != "" {
			l.text += strings.Repeat(" ", max(1, right-l.width-twwidth.Width(l.tag))) + l.tag
		}
		t.line(0, l.text)
	}
}

// tagged is a line of the verdict, perhaps with a word to the right of it.
type tagged struct {
	text  string // painted
	width int
	tag   string
}

// nearMargin is where words to the right of lines end on a wide terminal, if no line is longer: eyes lose what stands far off.
const nearMargin = 100

// tagGap is how far a word to the right stands off the longest line.
const tagGap = 3

// lone reports whether there is nothing but one finding: it is the verdict.
func (t *table) lone(r *report.Report) bool {
	byCheck := t.style.GroupBy == "" || t.style.GroupBy == ByCheck
	return !t.wide && byCheck && r.Verdict != nil && len(r.Verdict.Roots) == 1 && len(r.Items) == 1 && r.Items[0].Judged() &&
		r.Items[0].Metadata.Name == r.Verdict.Roots[0].Finding
}

func (t *table) verdictLines(r *report.Report) []tagged {
	if text := r.Verdict.Wellness(); text != "" {
		return append(t.painted(color.FgGreen, wrap(report.Escape(text), t.style.width())), t.also(r, 0)...)
	}
	blocks := r.Blocks()
	var out []tagged
	for i, b := range blocks {
		also, whole := t.also(r, i+1), t.block(b)
		room := maxVerdict - len(out) - len(also)
		switch {
		case len(whole) <= room:
			out = append(out, whole...)
			t.tell(b)
		case i == 0:
			out = append(out, whole[:room]...)
		case room > 0:
			out = append(out, t.head(b.Severity, b.Short, b.Check, 1)...)
		default:
			return append(out, t.also(r, i)...)
		}
	}
	return append(out, t.also(r, len(blocks))...)
}

// tell notes what a block that is shown as a whole says to do.
func (t *table) tell(b report.Block) {
	for _, row := range b.Rows {
		if row.Command || len(wrap(report.Escape(row.Text), t.style.width()-rowIndent-1)) <= maxRow {
			t.told[said{b.Check, row.Text}] = true
		}
	}
}

// also tells of applications that failed, and counts what the blocks leave out.
func (t *table) also(r *report.Report, shown int) []tagged {
	var out []tagged
	for _, b := range r.Verdict.Failed() {
		out = append(out, t.block(b)...)
	}
	for _, line := range clip(wrap(report.Escape(r.Verdict.Also(shown)), t.style.width()), maxRow) {
		out = append(out, tagged{text: line})
	}
	return out
}

// block is a root: its sentence, with the check on the right, and its rows.
func (t *table) block(b report.Block) []tagged {
	out := t.head(b.Severity, b.Text, b.Check, maxHead)
	for _, row := range b.Rows {
		label := ("  " + row.Label + "   ")[:rowIndent]
		if row.Command {
			out = append(out, tagged{text: label + report.Escape(row.Text)}) // never wrapped, to be copied
			continue
		}
		lines := clip(wrap(report.Escape(row.Text), t.style.width()-len(label)-len(row.Checks)-1), maxRow)
		for i, line := range lines {
			if i == 0 {
				out = append(out, tagged{label + line, len(label) + twwidth.Width(line), row.Checks})
			} else {
				out = append(out, tagged{text: strings.Repeat(" ", len(label)) + line})
			}
		}
	}
	return out
}

// head is a sentence in the colour of a severity, with the check to the right of it.
func (t *table) head(severity, text, check string, most int) []tagged {
	lines := clip(wrap(report.Escape(text), t.style.width()-len(check)-tagGap), most)
	attribute := map[string]color.Attribute{"error": color.FgRed, "warning": color.FgYellow}[severity]
	out := t.painted(attribute, lines)
	out[0].tag = check
	return out
}

func (t *table) painted(attribute color.Attribute, lines []string) []tagged {
	out := make([]tagged, 0, len(lines))
	for _, line := range lines {
		out = append(out, tagged{text: t.style.paint(line, attribute, color.Bold), width: twwidth.Width(line)})
	}
	return out
}

// clip leaves out the lines after the first few, and says so.
func clip(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	lines[most-1] += " …"
	return lines
}
