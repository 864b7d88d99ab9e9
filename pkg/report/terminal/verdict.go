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
	for _, line := range t.ending {
		t.line(0, line)
	}
}

// lone reports whether there is nothing but one finding: it is the verdict.
func (t *table) lone(r *report.Report) bool {
	byCheck := t.style.GroupBy == "" || t.style.GroupBy == ByCheck
	return !t.wide && byCheck && r.Verdict != nil && len(r.Verdict.Roots) == 1 && len(r.Items) == 1 && r.Items[0].Judged() &&
		r.Items[0].Metadata.Name == r.Verdict.Roots[0].Finding
}

func (t *table) verdictLines(r *report.Report) []string {
	if text := r.Verdict.Wellness(); text != "" {
		return append(t.painted(color.FgGreen, wrap(report.Escape(text), t.style.width())), t.also(r, 0)...)
	}
	blocks := r.Blocks()
	var out []string
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

// also counts what the blocks leave out.
func (t *table) also(r *report.Report, shown int) []string {
	return clip(wrap(report.Escape(r.Verdict.Also(shown)), t.style.width()), maxRow)
}

// block is a root: its sentence, with the check on the right, and its rows.
func (t *table) block(b report.Block) []string {
	out := t.head(b.Severity, b.Text, b.Check, maxHead)
	for _, row := range b.Rows {
		label := ("  " + row.Label + "   ")[:rowIndent]
		if row.Command {
			out = append(out, label+report.Escape(row.Text)) // never wrapped, to be copied
			continue
		}
		lines := clip(wrap(report.Escape(row.Text), t.style.width()-len(label)-len(row.Checks)-1), maxRow)
		for i, line := range lines {
			if i == 0 {
				line = t.tagged(label+line, row.Checks)
			} else {
				line = strings.Repeat(" ", len(label)) + line
			}
			out = append(out, line)
		}
	}
	return out
}

// head is a sentence in the colour of a severity, with the check at the right margin.
func (t *table) head(severity, text, check string, most int) []string {
	lines := clip(wrap(report.Escape(text), t.style.width()-len(check)-3), most)
	tag := strings.Repeat(" ", max(1, t.style.width()-twwidth.Width(lines[0])-len(check))) + check
	attribute := map[string]color.Attribute{"error": color.FgRed, "warning": color.FgYellow}[severity]
	out := t.painted(attribute, lines)
	out[0] += tag
	return out
}

func (t *table) painted(attribute color.Attribute, lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, t.style.paint(line, attribute, color.Bold))
	}
	return out
}

// tagged puts a word at the right margin.
func (t *table) tagged(line, word string) string {
	if word == "" {
		return line
	}
	return line + strings.Repeat(" ", max(1, t.style.width()-twwidth.Width(line)-twwidth.Width(word))) + word
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
