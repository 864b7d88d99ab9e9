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

// conclude makes the verdict.
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
			l.text += strings.Repeat(" ", max(1, right-l.width-twwidth.Width(l.tag))) + t.style.checks(l.tag)
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

// lone reports whether there is nothing but one finding: it is the verdict. What could not be judged never stands before a finding.
func (t *table) lone(r *report.Report) bool {
	byCheck := t.style.GroupBy == "" || t.style.GroupBy == ByCheck
	return !t.wide && byCheck && r.Verdict != nil && len(r.Verdict.Roots) == 1 && len(r.Items) == 1 && r.Items[0].Judged() &&
		len(r.Limits(false)) == 0 &&
		r.Items[0].Metadata.Name == r.Verdict.Roots[0].Finding
}

func (t *table) verdictLines(r *report.Report) []tagged {
	if text := r.Verdict.Wellness(); text != "" {
		return append(t.painted(color.FgGreen, Wrap(report.Escape(text), t.style.width())), t.also(r, 0)...)
	}
	blocks := r.Blocks()
	var out []tagged
	for i, b := range blocks {
		room := maxVerdict - len(out) - len(t.also(r, i+1))
		lines := t.fitted(b, room, i == 0)
		if lines == nil {
			return append(out, t.also(r, i)...)
		}
		out = append(out, lines...)
	}
	return append(out, t.also(r, len(blocks))...)
}

// also tells of applications that failed, and counts what the blocks leave out.
func (t *table) also(r *report.Report, shown int) []tagged {
	var out []tagged
	for _, b := range r.Verdict.Failed() {
		out = append(out, t.block(b, form{lines: maxRow, effects: all})...)
	}
	for _, line := range atMost(Wrap(report.Escape(r.Verdict.Also(shown)), t.style.width()), maxRow, t.style.width()) {
		out = append(out, tagged{text: line})
	}
	return out
}

func (t *table) painted(attribute color.Attribute, lines []string) []tagged {
	out := make([]tagged, 0, len(lines))
	for _, line := range lines {
		out = append(out, tagged{text: t.style.paint(line, attribute, color.Bold), width: twwidth.Width(line)})
	}
	return out
}
