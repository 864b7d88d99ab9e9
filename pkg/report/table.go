package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// shownObjects bounds the examples under a folded finding; wide and json have them all.
const shownObjects = 3

// Table writes the report for a person: worst first, grouped by check, with what to do next, then what could not
// be looked at, then the counts.
func Table(w io.Writer, r *Report, style Style) error {
	t := &table{w: bufio.NewWriter(w), style: style}
	for i := 0; i < len(r.Items); {
		n := 1
		for i+n < len(r.Items) && r.Items[i+n].Check == r.Items[i].Check && r.Items[i+n].Severity == r.Items[i].Severity {
			n++
		}
		t.group(r, r.Items[i:i+n])
		i += n
	}
	t.unseen(r)
	t.summary(r)
	return t.w.Flush()
}

type table struct {
	w     *bufio.Writer
	style Style
}

func (t *table) line(indent int, text string) {
	fmt.Fprintf(t.w, "%s%s\n", strings.Repeat(" ", indent), text) //nolint:errcheck // bufio keeps the error for Flush
}

func (t *table) wrapped(indent int, text string) {
	for _, line := range wrap(text, t.style.width()-indent) {
		t.line(indent, line)
	}
}

func (t *table) group(r *Report, items []Item) {
	first := items[0]
	check := r.check(first.Check)
	title := fmt.Sprintf("%s %s", first.Check, t.style.paint(first.Slug, color.Bold))
	t.line(0, fmt.Sprintf("%s %s: %d", t.style.severity(strings.ToUpper(first.Severity)), title, len(items)))
	for _, item := range items {
		t.line(2, t.style.paint(Escape(display(item.Object)), color.Bold)+t.where(item))
		text := item.Message
		if item.Certainty == "likely" {
			text = "likely: " + text
		}
		t.wrapped(4, Escape(text))
		t.objects(item)
	}
	if check.Next != "" {
		t.wrapped(2, "next: "+check.Next+" (kubectl sparkdoctor explain "+first.Check+")")
	}
	t.line(0, "")
}

func (t *table) where(item Item) string {
	if item.Location == nil || item.Location.File == "" {
		return ""
	}
	return t.style.paint(fmt.Sprintf("  %s:%d", Escape(item.Location.File), item.Location.Line), color.Faint)
}

func (t *table) objects(item Item) {
	if len(item.Objects) < 2 {
		return
	}
	for _, o := range item.Objects[:min(len(item.Objects), shownObjects)] {
		t.line(6, Escape(display(o)))
	}
	if rest := len(item.Objects) - shownObjects; rest > 0 {
		t.line(6, fmt.Sprintf("and %d more (-o wide lists them)", rest))
	}
}

// unseen says which checks could not look, or only in part, and what permission they lack.
func (t *table) unseen(r *Report) {
	shown := false
	for _, c := range r.Checks {
		switch {
		case c.Status == "skipped":
			t.wrapped(0, fmt.Sprintf("SKIPPED %s %s: %s", c.ID, c.Slug, Escape(c.Reason)))
		case c.Coverage == "partial":
			t.wrapped(0, fmt.Sprintf("PARTIAL %s %s: %s", c.ID, c.Slug, Escape(unseenText(c.Unseen))))
		default:
			continue
		}
		shown = true
	}
	if shown {
		t.line(0, "")
	}
}

func unseenText(list []snapshot.Unseen) string {
	if len(list) == 0 {
		return "a part could not be looked at"
	}
	u := list[0]
	text := fmt.Sprintf("could not %s %s", u.Verb, u.Resource)
	if u.Namespace != "" {
		text += " in namespace " + u.Namespace
	}
	text += ": " + u.Reason
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more, see -o json)", len(list)-1)
	}
	return text
}

func (t *table) summary(r *Report) {
	f, c := r.Summary.Findings, r.Summary.Checks
	if f.Error+f.Warning+f.Info == 0 {
		t.wrapped(0, t.style.paint("No findings", color.FgGreen, color.Bold)+": "+r.looked())
		return
	}
	t.wrapped(0, fmt.Sprintf("%s, %s, %s; checks: %s", count(f.Error, "error"), count(f.Warning, "warning"), count(f.Info, "info"), c.words()))
}

func (c CheckCounts) words() string {
	text := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf(", %d not applicable", c.NotApplicable)
	}
	return text
}

// looked says what a clean result rests on.
func (r *Report) looked() string {
	text := r.Summary.Checks.words()
	if len(r.Scope.Installations) > 0 {
		in := r.Scope.Installations[0]
		text += fmt.Sprintf("; operator %s in %s", in.Version, in.Namespace)
	}
	if src := r.Sources[0]; src.Type == "files" {
		text += fmt.Sprintf("; %s in %s", count(src.Objects, "object"), count(len(src.Files), "file"))
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
