// Package terminal writes reports, changes and the list of checks for people at a terminal.
package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Table writes the report for a person: worst first, grouped by check, with what to do next, then what could not
// be looked at, then the counts.
func Table(w io.Writer, r *report.Report, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, items: r.ByName()}
	t.gateHead(r.Gate)
	t.broken(r)
	for i := range r.Items {
		if r.Begins(i) && r.Items[i].Word() != report.UnchangedWord {
			t.group(r, r.Group(i))
		}
	}
	t.gone(r)
	t.runbook(r.Gate)
	t.unseen(r, r.Judged() == 0)
	t.summary(r)
	return t.w.Flush()
}

// gone lists what the older report has and this one has not, a line each.
func (t *table) gone(r *report.Report) {
	if r.Baseline == nil || len(r.Baseline.Gone) == 0 {
		return
	}
	for _, item := range r.Baseline.Gone {
		t.line(0, fmt.Sprintf("%s %s %s: %s", t.style.paint(item.GoneWord(), color.Bold), item.Check, item.Slug, report.Escape(item.Subject())))
		if item.Baseline.Reason != "" {
			t.wrapped(4, report.Escape(item.Baseline.Reason))
		}
	}
	t.line(0, "")
}

type table struct {
	w     *bufio.Writer
	style Style
	items report.Index
	wide  bool // it shows all there is
}

// line writes one line. Wrapped text may begin with any word, and a log of GitHub Actions takes a line that begins with
// two colons for a command.
func (t *table) line(indent int, text string) {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	fmt.Fprintf(t.w, "%s%s\n", strings.Repeat(" ", indent), text)
}

func (t *table) wrapped(indent int, text string) { t.labelled(indent, "", text) }

// labelled wraps text to the right of a label.
func (t *table) labelled(indent int, label, text string) {
	left := twwidth.Width(label)
	for _, line := range wrap(text, t.style.width()-indent-left) {
		t.line(indent, label+line)
		label = strings.Repeat(" ", left)
	}
}

func (t *table) group(r *report.Report, items []report.Item) {
	first := items[0]
	t.line(0, fmt.Sprintf("%s %s %s: %s", t.style.severity(first.Severity, first.Word()), first.Check,
		t.style.paint(first.Slug, color.Bold), facts.Counted(len(items), "finding")))
	for _, item := range items {
		t.finding(item, r.Lead(&item))
	}
	if next := r.CheckOf(first.Check).Next; next != "" && first.Judged() {
		t.labelled(2, "next: ", next)
	}
	if command := r.FixCommand(items); command != "" {
		t.line(2, "fix:  "+command) // never wrapped, to be copied
	}
	t.line(2, "more: kubectl sparkdoctor explain "+first.Check)
	t.line(0, "")
}

func (t *table) finding(item report.Item, lead string) {
	subject := report.Escape(item.Subject())
	if more := len(item.Objects) - 1; more > 0 {
		subject += fmt.Sprintf(" and %d more", more)
	}
	t.subject(subject, item.Location)
	t.wrapped(4, report.Escape(lead+item.Message))
	if because := item.Because(); because != "" {
		t.wrapped(4, report.Escape(because))
	}
	t.logged(item.Evidence)
	for _, name := range item.CausedBy {
		if cause := t.items.Find(item.Source, name); cause != nil {
			t.line(4, fmt.Sprintf("caused by %s: %s", cause.Check, report.Escape(cause.Subject())))
		}
	}
	if len(item.Objects) < 2 {
		return
	}
	others := item.Objects[1:]
	for _, o := range others[:min(len(others), report.ShownObjects)] {
		t.line(6, report.Escape(report.Display(o.Ref)))
	}
	if rest := len(others) - report.ShownObjects; rest > 0 {
		t.line(6, fmt.Sprintf("… %d more, -o wide lists them", rest))
	}
}

// shownLogLines bounds what is quoted of logs; json has it all.
const shownLogLines = 2

// logged quotes the operator's own words: whoever asks for logs wants to read them.
func (t *table) logged(evidence []report.Evidence) {
	shown := 0
	for _, e := range evidence {
		if !strings.HasPrefix(e.Field, facts.LogField) {
			continue
		}
		if shown++; shown > shownLogLines {
			return
		}
		t.labelled(4, "log: ", report.Escape(report.Display(e.Object)+", "+e.Value))
	}
}

// subject names what a finding is about, and where it stands in a file: behind it if that fits, else below.
func (t *table) subject(subject string, at *snapshot.Location) {
	bold := t.style.paint(subject, color.Bold)
	if at == nil || at.File == "" {
		t.line(2, bold)
		return
	}
	place := fmt.Sprintf("%s:%d", report.Escape(at.File), at.Line)
	faint := t.style.paint(place, color.Faint)
	if 2+twwidth.Width(subject)+2+twwidth.Width(place) <= t.style.width() {
		t.line(2, bold+"  "+faint)
		return
	}
	t.line(2, bold)
	t.line(4, faint)
}
