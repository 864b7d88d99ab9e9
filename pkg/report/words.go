package report

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// shownObjects bounds the examples under a folded finding; wide and json have them all.
const shownObjects = 3

// shownCommands bounds the commands under a step; wide, html and json have them all.
const shownCommands = 10

// rest says how many more there are, and where.
func rest(n int, where string) string { return fmt.Sprintf("… and %d more, %s", n, where) }

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

// goneWord says what became of a finding of the older report.
func (i *Item) goneWord() string {
	if i.Baseline.Class == classResolved {
		return "RESOLVED"
	}
	return "NOT COMPARABLE"
}

// likely is what a message begins with that is not proven.
func (i *Item) likely() string {
	if i.Certainty == check.Likely.String() {
		return "likely: "
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
