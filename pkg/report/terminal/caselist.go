package terminal

import (
	"bufio"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// CaseList writes a row for each application: its name, how it stands, and its cause. The wide form cuts nothing.
func CaseList(w io.Writer, l *casefile.List, wide bool, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, wide: wide}
	if !t.besides(l) {
		names := t.column(l)
		for _, d := range l.Items {
			t.above(d, names)
		}
	}
	for i := range l.Unread {
		t.wrapped(0, report.Escape(l.Unread[i].Text()))
	}
	for _, u := range l.Unseen {
		t.wrapped(0, report.Escape(u.Unlisted()))
	}
	for _, line := range casefile.Granting(l.Unseen) {
		t.line(0, report.Escape(command.Administrator+line)) // with a command to copy
	}
	if len(l.Items)+len(l.Unread)+len(l.Unseen) > 0 {
		t.line(0, "")
	}
	if text := below(l); text != "" {
		t.wrapped(0, text)
	}
	if l.AskLine != "" && len(l.Items) > 0 {
		t.line(0, report.Escape("more: "+l.AskLine)) // never wrapped, to be copied
	}
	return t.w.Flush()
}

// below is what stands below a list: how many others there are, or that nothing is listed.
func below(l *casefile.List) string {
	rest := l.Rest()
	if len(l.Items)+len(l.Unread) > 0 {
		return rest
	}
	if rest != "" {
		rest = "; " + rest
	}
	return l.Headline() + rest
}

// besides writes the list in columns, and reports whether causes have room for that. A row may be as wide as the terminal: it is not read
// as a paragraph is.
func (t *table) besides(l *casefile.List) bool {
	names, states := 0, 0
	for _, d := range l.Items {
		names, states = max(names, twwidth.Width(report.Escape(d.Name()))), max(states, twwidth.Width(report.Escape(d.Headline())))
	}
	left := names + states + 2*len(columnGap)
	room := max(t.style.Width, t.style.width()) - left
	if room < leastRoom {
		return false
	}
	for _, d := range l.Items {
		before := t.style.paint(padded(report.Escape(d.Name()), names), color.Bold) + columnGap + padded(report.Escape(d.Headline()), states) +
			columnGap
		for _, line := range t.cause(d, room, mostBeside) {
			t.line(0, before+t.style.paint(line, tone(&d.Verdict)))
			before = strings.Repeat(" ", left)
		}
	}
	return true
}

// column is how wide that of names is where causes stand below; 0: lines are too narrow for columns.
func (t *table) column(l *casefile.List) int {
	names, all := 0, 0
	for _, d := range l.Items {
		names = max(names, twwidth.Width(report.Escape(d.Name())))
	}
	for _, d := range l.Items {
		all = max(all, names+len(columnGap)+twwidth.Width(report.Escape(d.Headline())))
	}
	if all > t.style.width() {
		return 0
	}
	return names
}

// above writes an application, how it stands beside it, or below it where the line has no room, and its cause below both.
func (t *table) above(d *casefile.Document, names int) {
	name, state := report.Escape(d.Name()), report.Escape(d.Headline())
	if beside := max(names, twwidth.Width(name)) + len(columnGap) + twwidth.Width(state); beside <= t.style.width() {
		t.line(0, t.style.paint(name, color.Bold)+strings.Repeat(" ", max(0, names-twwidth.Width(name)))+columnGap+state)
	} else {
		t.emphasized(0, name)
		t.wrapped(answerIndent, state)
	}
	for _, line := range t.cause(d, t.style.width()-answerIndent, mostBelow) {
		t.line(answerIndent, t.style.paint(line, tone(&d.Verdict)))
	}
}

// cause is the cause of an application in lines: of a long one whole clauses, as many as have room.
func (t *table) cause(d *casefile.Document, width, most int) []string {
	text := report.Escape(d.Cause())
	if t.wide {
		return Wrap(text, width)
	}
	return atMost(inClauses(text, most, width), most, width)
}

// columnGap is between a name, how it stands, and the cause, which stands beside them where so many columns are left, else below. It takes
// so many lines at most.
const (
	columnGap  = "  "
	leastRoom  = 60
	mostBeside = 2
	mostBelow  = 3
)

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-twwidth.Width(text)))
}
