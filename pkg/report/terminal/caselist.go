package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// CaseList writes a line for each application: its name, how it stands, and its cause. The wide form cuts nothing.
func CaseList(w io.Writer, l *casefile.List, wide bool, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style}
	names, states := 0, 0
	for _, d := range l.Items {
		names, states = max(names, twwidth.Width(report.Escape(d.Name()))), max(states, twwidth.Width(report.Escape(d.Headline())))
	}
	for _, d := range l.Items {
		before := padded(report.Escape(d.Name()), names) + "  " + padded(report.Escape(d.Headline()), states) + "  "
		sure := d.Verdict.Sure()
		if sure != "" {
			sure += ": "
		}
		text := report.Escape(sure + d.Verdict.Short())
		room := style.width() - twwidth.Width(before)
		if wide || room < leastRoom { // the cause below, where the names leave no room beside them
			t.line(0, strings.TrimRight(before, " "))
			lines := Wrap(text, style.width()-answerIndent)
			if !wide {
				lines = atMost(lines, 1, style.width()-answerIndent)
			}
			for _, line := range lines {
				t.line(answerIndent, style.paint(line, tone(&d.Verdict)))
			}
			continue
		}
		t.line(0, before+style.paint(atMost(Wrap(text, room), 1, room)[0], tone(&d.Verdict)))
	}
	for _, u := range l.Unread {
		t.wrapped(0, report.Escape(strings.TrimPrefix(u.Subject.Namespace+"/"+u.Subject.Name, "/")+" could not be read: "+u.Reason))
	}
	for _, u := range l.Unseen {
		t.wrapped(0, report.Escape("could not list "+u.Text()))
	}
	if len(l.Items)+len(l.Unseen) > 0 {
		t.line(0, "")
	}
	t.wrapped(0, rest(l))
	return t.w.Flush()
}

// rest counts what is not listed, and says how to have the answer of one that is.
func rest(l *casefile.List) string {
	seen := len(l.Items) + len(l.Unread) + l.Fine + l.Completed + l.Older
	if seen == 0 {
		return "no application was found"
	}
	var parts []string
	if len(l.Items)+len(l.Unread) == 0 {
		parts = append(parts, "nothing failed, hangs or waits")
	}
	for _, of := range []struct {
		count int
		is    string
	}{{l.Fine, phrase.Verb(l.Fine, "runs", "run") + " normally"}, {l.Completed, "completed"},
		{l.Older, phrase.Verb(l.Older, "is", "are") + " older, and not asked about"}} {
		if of.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", of.count, of.is))
		}
	}
	if len(l.Items) > 0 {
		parts = append(parts, "kubectl sparkdoctor why NAMESPACE/NAME says more")
	}
	return strings.Join(parts, "; ")
}

// leastRoom is how many columns a cause must have beside the names.
const leastRoom = 30

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-twwidth.Width(text)))
}
