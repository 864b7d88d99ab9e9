package html

import (
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// listPage is what the template shows of several case files below the headline.
type listPage struct {
	Cases    []listCase
	Unread   []string
	Unseen   []string
	Granting []string // commands of an administrator
	Ask      string   // the command that has all about one of them
}

// listCase is an application: a line, and its answer behind it.
type listCase struct {
	Name, State, Sure, Says, Tone string
	Answer                        []casefile.Statement
}

// CaseList writes the applications that failed, hang or wait as one page that needs nothing else: a line for each, the newest first, which
// unfolds to its answer.
func CaseList(w io.Writer, l *casefile.List) error {
	f := newFrame(l.Metadata.CreationTimestamp, l.Tool)
	f.About = "Spark applications"
	f.Head = headline{Words: report.Escape(l.Headline()), Says: report.Escape(l.Rest()), Tone: "error"}
	switch {
	case len(l.Items) > 0:
	case len(l.Unread)+len(l.Unseen) > 0:
		f.Head.Tone = "warning"
	default:
		f.Head.Tone = "good"
	}
	f.Title = f.About + ": " + f.Head.Words
	f.List = listOf(l)
	return f.write(w)
}

func listOf(l *casefile.List) *listPage {
	p := &listPage{}
	for _, line := range casefile.Granting(l.Unseen) {
		p.Granting = append(p.Granting, report.Escape(line))
	}
	for _, d := range l.Items {
		p.Cases = append(p.Cases, listCase{Name: report.Escape(d.Name()), State: report.Escape(d.Headline()), Sure: d.Verdict.Sure(),
			Says: report.Escape(d.Verdict.Short()), Tone: tone(&d.Verdict), Answer: answer(d)})
	}
	for i := range l.Unread {
		p.Unread = append(p.Unread, report.Escape(l.Unread[i].Text()))
	}
	for _, u := range l.Unseen {
		p.Unseen = append(p.Unseen, report.Escape(u.Unlisted()))
	}
	if len(l.Items) > 0 {
		p.Ask = report.Escape(l.AskLine)
	}
	return p
}
