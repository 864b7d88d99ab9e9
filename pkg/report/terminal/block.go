package terminal

import (
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// How many lines the texts of a block take at most.
const (
	maxHead = 2
	maxRow  = 2
)

// form is how much of a block is shown. The commands of this program always are: they are the answer to the sentence.
type form struct {
	brief   bool // the short sentence, in one line, without the commands that only look: the table has them
	lines   int  // of each row; 0: only commands
	effects int  // that are shown
}

// ownCommand begins a command of this program.
const ownCommand = "kubectl sparkdoctor "

// all is more effects than a block has.
const all = 1 << 10

// fitted is a block in the longest of its forms that takes at most so many lines; nil: none does. The first block is shown in any case.
func (t *table) fitted(b report.Block, room int, first bool) []tagged {
	lines := t.block(b, form{lines: maxRow, effects: all})
	if len(lines) <= room {
		return lines
	}
	if first {
		for _, f := range []form{{lines: 1, effects: all}, {lines: 1, effects: 1}, {}} {
			if lines = t.block(b, f); len(lines) <= room {
				return lines
			}
		}
	}
	if lines = t.block(b, form{brief: true}); len(lines) <= room || first {
		return lines
	}
	return nil
}

// block is a root: its sentence, with the check on the right, and its rows.
func (t *table) block(b report.Block, f form) []tagged {
	text, most := b.Text, maxHead
	if f.brief {
		text, most = b.Short, 1
	}
	out := t.head(b.Severity, text, b.Check, most)
	effects := 0
	for _, row := range b.Rows {
		label := ("  " + row.Label + "   ")[:rowIndent]
		if row.Command && f.brief && !strings.HasPrefix(row.Text, ownCommand) {
			continue
		}
		if row.Command {
			out = append(out, tagged{text: label + report.Escape(row.Text)}) // never wrapped, to be copied
			continue
		}
		if row.Label == report.LabelEffect {
			effects++
		}
		if f.lines > 0 && (row.Label != report.LabelEffect || effects <= f.effects) {
			out = append(out, t.blockRow(label, row, f.lines)...)
		}
	}
	return out
}

// blockRow is a text behind its label, with checks on the right.
func (t *table) blockRow(label string, row report.Row, most int) []tagged {
	width := t.style.width() - len(label)
	beside := width
	if row.Checks != "" && 2*len(row.Checks) <= width {
		beside -= len(row.Checks) + 1
	}
	var out []tagged
	last := beside // of the line that an ellipsis ends
	if most > 1 {
		last = width
	}
	for i, line := range atMost(inClauses(report.Escape(row.Text), most, beside), most, last) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		out = append(out, tagged{text: label + line, width: len(label) + twwidth.Width(line)})
	}
	return t.beside(out, row.Checks, len(label))
}

// head is a sentence in the colour of a severity, with the check to the right of it.
func (t *table) head(severity, text, check string, most int) []tagged {
	width := t.style.width() - len(check) - tagGap
	attribute := map[string]color.Attribute{"error": color.FgRed, "warning": color.FgYellow}[severity]
	lines := atMost(Wrap(report.Escape(text), width), most, width+tagGap-1) // an ellipsis may stand in the gap
	return t.beside(t.painted(attribute, lines), check, 0)
}

// beside puts checks to the right of the first line, or below all of them where they do not fit.
func (t *table) beside(lines []tagged, checks string, indent int) []tagged {
	if len(lines) == 0 { // a report that another program wrote may hold an empty text
		return lines
	}
	if checks == "" || lines[0].width+1+len(checks) <= t.style.width() {
		lines[0].tag = checks
		return lines
	}
	for _, line := range Wrap(checks, t.style.width()-indent) {
		lines = append(lines, tagged{text: strings.Repeat(" ", indent) + t.style.checks(line)})
	}
	return lines
}
