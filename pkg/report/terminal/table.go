// Package terminal writes reports, changes and the list of checks for people at a terminal.
package terminal

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Table writes the report for a person: worst first, grouped by check, with what to do next, then what could not
// be looked at, then the counts.
func Table(w io.Writer, r *report.Report, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, named: r.ByName()}
	if r.Void() && !t.wide {
		t.wrapped(0, r.Headline())
		return t.w.Flush()
	}
	lone := t.lone(r)
	if !lone {
		t.conclude(r)
	}
	t.gateHead(r.Gate)
	t.broken(r)
	if !lone {
		t.items(r)
	}
	t.gone(r)
	t.runbook(r.Gate)
	t.unseen(r, r.Judged() == 0)
	t.summary(r)
	if lone {
		t.line(0, "")
		t.group(r, r.Items)
	}
	return t.w.Flush()
}

// Summary writes the counts, what they rest on, and the verdict.
func Summary(w io.Writer, r *report.Report, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style, named: r.ByName()}
	t.conclude(r)
	t.gateHead(r.Gate)
	t.broken(r)
	t.summary(r)
	return t.w.Flush()
}

func (t *table) items(r *report.Report) {
	if t.style.GroupBy == ByNamespace || t.style.GroupBy == ByApplication {
		t.grouped(r)
		return
	}
	for i := range r.Items {
		if r.Begins(i) && r.Items[i].Word() != report.UnchangedWord {
			t.group(r, r.Group(i))
			t.line(0, "")
		}
	}
}

// gone lists what the older report has and this one has not, a line each.
func (t *table) gone(r *report.Report) {
	if r.Baseline == nil || len(r.Baseline.Gone) == 0 {
		return
	}
	for _, item := range r.Baseline.Gone {
		t.labelled(0, t.style.paint(item.GoneWord(), color.Bold)+" ",
			fmt.Sprintf("%s %s: %s", item.Check, item.Slug, report.Escape(item.Subject())))
		if item.Baseline.Reason != "" {
			t.wrapped(4, report.Escape(item.Baseline.Reason))
		}
	}
	t.line(0, "")
}

type table struct {
	w     *bufio.Writer
	style Style
	named report.Index // the findings by their names
	wide  bool         // it shows all there is

	ending []tagged // the verdict
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

// emphasized wraps text in bold type, in a color if there is one.
func (t *table) emphasized(indent int, text string, colors ...color.Attribute) {
	for _, line := range Wrap(text, t.style.width()-indent) {
		t.line(indent, t.style.paint(line, append(colors, color.Bold)...))
	}
}

// labelled wraps text to the right of a label.
func (t *table) labelled(indent int, label, text string) {
	left := twwidth.Width(label)
	if most, room := longest(text), t.style.width()-indent; left+most > room && len(hanging)+most <= room {
		if label = strings.TrimRight(label, " "); label != "" {
			t.line(indent, label) // beside it there is no room for a word that has it below
		}
		t.wrapped(indent+len(hanging), text)
		return
	}
	t.beneath(indent, label, text)
}

// beneath wraps text to the right of a label, however long its words are.
func (t *table) beneath(indent int, label, text string) {
	left := twwidth.Width(label)
	for _, line := range Wrap(text, t.style.width()-indent-left) {
		t.line(indent, label+line)
		label = strings.Repeat(" ", left)
	}
}

// maxObjects bounds the findings of a check that are told one by one; wide has them all.
const maxObjects = 5

func (t *table) group(r *report.Report, items []report.Item) {
	first := items[0]
	t.labelled(0, t.style.severity(first.Severity, first.Word())+" ", fmt.Sprintf("%s %s: %s%s", t.style.checks(first.Check),
		t.style.paint(first.Slug, color.Bold), phrase.Counted(len(items), "finding"), report.Across(items)))
	shown := items
	if many(items) {
		shown = items[:1]
	}
	t.findings(r, shown)
	t.others(items)
	t.next(shown)
	t.commands(r, items)
}

// many reports whether one finding stands for the others of its group: there are more objects than are told one by one. Of few objects
// with several faults each fault is told.
func many(items []report.Item) bool {
	about := map[string]bool{}
	for i := range items {
		about[items[i].Subject()] = true
	}
	return len(about) > maxObjects || len(items) > 4*maxObjects
}

// commands are those about all findings of a group, and the one that explains the first. They are never wrapped, to be copied.
func (t *table) commands(r *report.Report, items []report.Item) {
	if command := r.FixCommand(items); command != "" && len(items) > 1 {
		t.line(2, "fix:  "+report.Escape(command))
	}
	if command := r.ExplainCommand(&items[0]); command != "" {
		t.line(2, "more: "+report.Escape(command))
	}
}

// others names a few of the findings of a large group behind the first, and counts the rest.
func (t *table) others(items []report.Item) {
	if !many(items) {
		return
	}
	names := make([]string, 0, maxObjects)
	for _, item := range items[1:maxObjects] {
		names = append(names, report.Escape(item.Subject()))
	}
	rest := items[maxObjects:]
	t.labelled(2, "also ", fmt.Sprintf("%s, … %d more%s (-o wide)", strings.Join(names, ", "), len(rest), report.Across(rest)))
}

// findings tells findings of one check; what several say in the same words is said once, below all of them.
func (t *table) findings(r *report.Report, items []report.Item) {
	for i := 0; i < len(items); {
		n := i + 1
		for n < len(items) && same(&items[i], &items[n]) {
			n++
		}
		for k := i; k < n; k++ {
			t.subject(t.naming(&items[k]), &items[k])
		}
		t.finding(&items[i], r.Lead(&items[i]))
		i = n
	}
}

// same reports whether all that is told of two findings is the same, but for the objects.
func same(a, b *report.Item) bool {
	return a.Message == b.Message && a.Hop == b.Hop && a.Certainty == b.Certainty && a.Because() == b.Because() &&
		slices.Equal(a.CausedBy, b.CausedBy) && len(a.Objects)+len(b.Objects) == 0 && !logs(a) && !logs(b)
}

func logs(i *report.Item) bool {
	return slices.ContainsFunc(i.Evidence, func(e report.Evidence) bool { return strings.HasPrefix(e.Field, facts.LogField) })
}

func (t *table) naming(item *report.Item) string {
	subject := report.Escape(item.Subject())
	if more := item.Others(); more > 0 {
		subject += fmt.Sprintf(" and %d more", more)
	}
	return subject
}

func (t *table) finding(item *report.Item, lead string) {
	t.wrapped(4, report.Escape(lead+item.Message))
	if because := item.Because(); because != "" {
		t.wrapped(4, report.Escape(because))
	}
	t.logged(item.Evidence)
	for _, name := range item.CausedBy {
		if cause := t.named.Find(item.Source, name); cause != nil {
			t.wrapped(4, fmt.Sprintf("caused by %s: %s", cause.Check, report.Escape(cause.Subject())))
		}
	}
	if len(item.Objects) < 2 {
		return
	}
	others := item.Objects[1:]
	names := make([]string, 0, report.ShownObjects)
	shown := min(len(others), report.ShownObjects)
	if shown < len(others) {
		shown = 1 // of many one more is an example as good as three
	}
	for _, o := range others[:shown] {
		names = append(names, report.Escape(report.Display(o.Ref)))
	}
	if rest := len(others) - shown; rest > 0 {
		names = append(names, fmt.Sprintf("… %d more (-o wide)", rest))
	}
	t.labelled(4, "also ", strings.Join(names, ", "))
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

// subject names what a finding is about, and where it stands in a file: behind it if that fits, else below. Where no terminal has a
// width, it stays in one line, for those who search in it.
func (t *table) subject(subject string, item *report.Item) {
	beside := ""
	if file, line := item.FilePlace(); file != "" {
		beside = fmt.Sprintf("%s:%d", report.Escape(file), line)
	}
	faint := t.style.paint(beside, color.Faint)
	switch fits := 2+twwidth.Width(subject)+2+twwidth.Width(beside) <= t.style.width(); {
	case beside != "" && fits:
		t.line(2, t.style.paint(subject, color.Bold)+"  "+faint)
		return
	case t.style.Width <= 0:
		t.line(2, t.style.paint(subject, color.Bold))
	default:
		t.emphasized(2, subject)
	}
	if beside != "" {
		t.line(4, faint)
	}
}
