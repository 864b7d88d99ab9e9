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

// shownObjects bounds the examples under a folded finding; wide and json have them all.
const shownObjects = 3

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

// goneWord says what became of a finding of the older report.
func (i *Item) goneWord() string {
	if i.Baseline.Class == classResolved {
		return "RESOLVED"
	}
	return "NOT COMPARABLE"
}

type table struct {
	w     *bufio.Writer
	style Style
	items map[identity]*Item
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
		if cause, shown := t.items[identity{item.Source, name}]; shown {
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

// begins reports whether an item is of another check, or another word, than the one before it.
func (r *Report) begins(i int) bool {
	return i == 0 || r.Items[i].Check != r.Items[i-1].Check || r.Items[i].word() != r.Items[i-1].word()
}

// group are the items from one that begins with a check or a word to the next one that does.
func (r *Report) group(i int) []Item {
	n := i + 1
	for n < len(r.Items) && !r.begins(n) {
		n++
	}
	return r.Items[i:n]
}

const unchangedWord = "UNCHANGED"

// word is what an item begins with: its severity, or that it does not count.
func (i *Item) word() string {
	switch {
	case i.Suppression != nil:
		return "SUPPRESSED"
	case !i.judged():
		return unchangedWord
	}
	return strings.ToUpper(i.Severity)
}

// because says why a finding does not count, or why it does though it is not plainly new.
func (i *Item) because() string {
	switch {
	case i.Suppression != nil:
		return i.Suppression.text()
	case i.Baseline != nil && i.Baseline.Reason != "":
		return i.Baseline.Reason
	default:
		return ""
	}
}

// aside is because behind a message.
func (i *Item) aside() string {
	if because := i.because(); because != "" {
		return " (" + because + ")"
	}
	return ""
}

// text says who accepts a finding, until when and why.
func (s *Suppression) text() string {
	text := "suppressed by " + s.By
	if s.Until != "" {
		text += " until " + s.Until
	}
	if s.Owner != "" {
		text += ", owner " + s.Owner
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

func (r *Report) check(id string) Check {
	for _, c := range r.Checks {
		if c.ID == id {
			return c
		}
	}
	return Check{}
}

func count(n int, noun string) string {
	if n == 1 || noun == "info" {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// display names an object as kubectl takes it: namespace first, then kind/name.
func display(o snapshot.Ref) string {
	name := strings.ToLower(o.Kind) + "/" + o.Name
	if o.Namespace == "" {
		return name
	}
	return o.Namespace + " " + name
}
