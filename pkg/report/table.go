package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Table writes the report for a person: worst first, grouped by check, with what to do next, then what could not
// be looked at, then the counts.
func Table(w io.Writer, r *Report, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, items: r.byName()}
	t.gateHead(r.Gate)
	t.broken(r)
	for i := range r.Items {
		if r.begins(i) && r.Items[i].word() != unchangedWord {
			t.group(r, r.group(i))
		}
	}
	t.gone(r)
	t.runbook(r.Gate)
	t.unseen(r, r.judged() == 0)
	t.summary(r)
	return t.w.Flush()
}

// gone lists what the older report has and this one has not, a line each.
func (t *table) gone(r *Report) {
	if r.Baseline == nil || len(r.Baseline.Gone) == 0 {
		return
	}
	for _, item := range r.Baseline.Gone {
		t.line(0, fmt.Sprintf("%s %s %s: %s", t.style.paint(item.goneWord(), color.Bold), item.Check, item.Slug, Escape(item.subject())))
		if item.Baseline.Reason != "" {
			t.wrapped(4, Escape(item.Baseline.Reason))
		}
	}
	t.line(0, "")
}

type table struct {
	w     *bufio.Writer
	style Style
	items findingIndex
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

func (t *table) group(r *Report, items []Item) {
	first := items[0]
	t.line(0, fmt.Sprintf("%s %s %s: %s", t.style.severity(first.Severity, first.word()), first.Check,
		t.style.paint(first.Slug, color.Bold), count(len(items), "finding")))
	for _, item := range items {
		t.finding(item, r.lead(&item))
	}
	if next := r.check(first.Check).Next; next != "" && first.judged() {
		t.labelled(2, "next: ", next)
	}
	if command := r.fixCommand(items); command != "" {
		t.line(2, "fix:  "+command) // never wrapped, to be copied
	}
	t.line(2, "more: kubectl sparkdoctor explain "+first.Check)
	t.line(0, "")
}

func (t *table) finding(item Item, lead string) {
	subject := Escape(item.subject())
	if more := len(item.Objects) - 1; more > 0 {
		subject += fmt.Sprintf(" and %d more", more)
	}
	t.subject(subject, item.Location)
	t.wrapped(4, Escape(lead+item.Message))
	if because := item.because(); because != "" {
		t.wrapped(4, Escape(because))
	}
	t.logged(item.Evidence)
	for _, name := range item.CausedBy {
		if cause := t.items.find(item.Source, name); cause != nil {
			t.line(4, fmt.Sprintf("caused by %s: %s", cause.Check, Escape(cause.subject())))
		}
	}
	if len(item.Objects) < 2 {
		return
	}
	others := item.Objects[1:]
	for _, o := range others[:min(len(others), shownObjects)] {
		t.line(6, Escape(display(o.Ref)))
	}
	if rest := len(others) - shownObjects; rest > 0 {
		t.line(6, fmt.Sprintf("… %d more, -o wide lists them", rest))
	}
}

// shownLogLines bounds what is quoted of logs; json has it all.
const shownLogLines = 2

// logged quotes the operator's own words: whoever asks for logs wants to read them.
func (t *table) logged(evidence []Evidence) {
	shown := 0
	for _, e := range evidence {
		if !strings.HasPrefix(e.Field, facts.LogField) {
			continue
		}
		if shown++; shown > shownLogLines {
			return
		}
		t.labelled(4, "log: ", Escape(display(e.Object)+", "+e.Value))
	}
}

// subject names what a finding is about, and where it stands in a file: behind it if that fits, else below.
func (t *table) subject(subject string, at *snapshot.Location) {
	bold := t.style.paint(subject, color.Bold)
	if at == nil || at.File == "" {
		t.line(2, bold)
		return
	}
	place := fmt.Sprintf("%s:%d", Escape(at.File), at.Line)
	faint := t.style.paint(place, color.Faint)
	if 2+twwidth.Width(subject)+2+twwidth.Width(place) <= t.style.width() {
		t.line(2, bold+"  "+faint)
		return
	}
	t.line(2, bold)
	t.line(4, faint)
}
