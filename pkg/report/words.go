package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ShownObjects bounds the examples under a folded finding; wide and json have them all.
const ShownObjects = 3

// ShownCommands bounds the commands under a step; wide, html and json have them all.
const ShownCommands = 10

// AndMore says how many more there are, and where.
func AndMore(n int, where string) string { return fmt.Sprintf("… and %d more, %s", n, where) }

// UnchangedWord begins a finding that the baseline has.
const UnchangedWord = "UNCHANGED"

// Word is what an item begins with: its severity, or that it does not count.
func (i *Item) Word() string {
	switch {
	case i.Suppression != nil:
		return "SUPPRESSED"
	case !i.Judged():
		return UnchangedWord
	}
	return strings.ToUpper(i.Severity)
}

// Because says why a finding does not count, or why it does though it is not plainly new.
func (i *Item) Because() string {
	switch {
	case i.Suppression != nil:
		return i.Suppression.Text()
	case i.Baseline != nil && i.Baseline.Reason != "":
		return i.Baseline.Reason
	default:
		return ""
	}
}

// Aside is because behind a message.
func (i *Item) Aside() string {
	if because := i.Because(); because != "" {
		return " (" + because + ")"
	}
	return ""
}

// GoneWord says what became of a finding of the older report.
func (i *Item) GoneWord() string {
	if i.Baseline.Class == ClassResolved {
		return "RESOLVED"
	}
	return "NOT COMPARABLE"
}

// Likely is what a message begins with that is not proven, or not yet looked at again.
func (i *Item) Likely() string {
	if i.confirming {
		return "confirming: "
	}
	if i.Certainty == check.Likely.String() {
		return "likely: "
	}
	return ""
}

// Text says who accepts a finding, until when and why.
func (s *Suppression) Text() string {
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

// Begins reports whether an item is of another check, or another word, than the one before it.
func (r *Report) Begins(i int) bool {
	return i == 0 || r.Items[i].Check != r.Items[i-1].Check || r.Items[i].Word() != r.Items[i-1].Word()
}

// Group are the items from one that begins with a check or a word to the next one that does.
func (r *Report) Group(i int) []Item {
	n := i + 1
	for n < len(r.Items) && !r.Begins(n) {
		n++
	}
	return r.Items[i:n]
}

// CheckOf returns the check with an id, of several sources the first one.
func (r *Report) CheckOf(id string) Check {
	for _, c := range r.Checks {
		if c.ID == id {
			return c
		}
	}
	return Check{}
}

// Display names an object as kubectl takes it: namespace first, then kind/name.
func Display(o snapshot.Ref) string {
	name := strings.ToLower(o.Kind) + "/" + o.Name
	if o.Namespace == "" {
		return name
	}
	return o.Namespace + " " + name
}

// From is the report with only the findings of a severity or worse; all counts and the verdict stay. Empty: all.
func (r *Report) From(severity string) *Report {
	if severity == "" {
		return r
	}
	out := *r
	out.Items = slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return Rank(i.Severity) > Rank(severity) })
	out.hidden = len(r.Items) - len(out.Items)
	return &out
}

// Place is the namespace of a finding, with its cluster where there are several.
func (i *Item) Place() string {
	return of(i.cluster) + cmp.Or(check.NamespaceOf(i.Object), "cluster-wide")
}

// InPlaces are the namespaces of all objects of a finding, as Place names one.
func (i *Item) InPlaces() []string {
	var out []string
	for _, o := range i.Refs() {
		if place := of(i.cluster) + cmp.Or(check.NamespaceOf(o), "cluster-wide"); !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}

// Application is the Spark object that a finding belongs to, else its object.
func (i *Item) Application() string {
	if i.app == "" {
		return i.Subject()
	}
	return of(i.cluster) + i.Object.Namespace + " " + i.app
}

// crowd is from how many findings on it is told how they spread over namespaces.
const crowd = 10

// spread says in which namespaces many findings are.
func (r *Report) spread() string {
	in := map[string]int{}
	n := 0
	for i := range r.Items {
		if item := &r.Items[i]; item.Judged() {
			in[of(item.cluster)+check.NamespaceOf(item.Object)]++
			n++
		}
	}
	if n < crowd || len(in) < 2 {
		return ""
	}
	namespaces := len(in)
	if in[""] > 0 {
		namespaces--
	}
	return fmt.Sprintf("%s in %s%s", phrase.Counted(n, "finding"), phrase.Counted(namespaces, "namespace"), places(in))
}
