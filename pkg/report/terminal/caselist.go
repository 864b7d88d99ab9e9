package terminal

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
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
	room := style.width() - names - states - 2*len(columnGap)
	below := wide || slices.ContainsFunc(l.Items, func(d *casefile.Document) bool { return twwidth.Width(causeIn(d)) > room })
	for _, d := range l.Items {
		before := padded(report.Escape(d.Name()), names) + columnGap + padded(report.Escape(d.Headline()), states) + columnGap
		if !below {
			t.line(0, before+style.paint(causeIn(d), tone(&d.Verdict)))
			continue
		}
		t.line(0, strings.TrimRight(before, " "))
		lines := Wrap(causeIn(d), style.width()-answerIndent)
		if !wide {
			lines = atMost(lines, mostOfCause, style.width()-answerIndent)
		}
		for _, line := range lines {
			t.line(answerIndent, style.paint(line, tone(&d.Verdict)))
		}
	}
	for _, u := range l.Unread {
		t.wrapped(0, report.Escape(strings.TrimPrefix(u.Subject.Namespace+"/"+u.Subject.Name, "/")+" could not be read: "+u.Reason))
	}
	for _, u := range l.Unseen {
		t.wrapped(0, report.Escape("could not list "+u.Text()))
	}
	for _, line := range casefile.Granting(l.Unseen) {
		t.line(0, report.Escape(command.Administrator+line)) // with a command to copy
	}
	if len(l.Items)+len(l.Unseen) > 0 {
		t.line(0, "")
	}
	if text := rest(l); text != "" {
		t.wrapped(0, text)
	}
	if l.AskLine != "" && len(l.Items) > 0 {
		t.line(0, report.Escape("more: "+l.AskLine)) // never wrapped, to be copied
	}
	return t.w.Flush()
}

// causeIn is the cause of an application, in short, and how sure it is.
func causeIn(d *casefile.Document) string {
	sure := d.Verdict.Sure()
	if sure != "" {
		sure += ": "
	}
	return report.Escape(sure + d.Verdict.Short())
}

// rest counts what is not listed.
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
	return strings.Join(parts, "; ")
}

// columnGap is between a name, how it stands, and the cause. The causes stand below, where one of them has no room beside it: of a cause,
// the end says what is waited for. Below, it takes so many lines at most.
const (
	columnGap   = "  "
	mostOfCause = 3
)

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-twwidth.Width(text)))
}
