package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PartialCoverage is the word of the report for a check that judged some of its subjects.
const PartialCoverage = "partial"

// Limit says in one word how the view of some checks was limited, and why.
type Limit struct {
	Word   string // SKIPPED, PARTIAL or NOT APPLICABLE
	Reason string
	Checks []Check
}

// Limits says which checks could not look, or only in part, and what permission they lack. Checks that have the same
// Reason share a limit: one missing permission often stops many. Those that are not applicable are told on demand: on
// files that is most of them. What ClusterRead and NamespaceRead tell is not told again.
func (r *Report) Limits(notApplicable bool) []Limit {
	if r.Void() {
		return nil // every check would say that its objects are not there
	}
	return limits(slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool {
		return r.needsClusterRead(c) || r.needsNamespaceRead(c) || c.Status == check.NotApplicable.String() && !notApplicable
	}))
}

// AllLimits are those of every check.
func (r *Report) AllLimits() []Limit { return limits(r.Checks) }

func limits(list []Check) []Limit {
	var out []Limit
	at := map[[2]string]int{}
	for _, c := range list {
		word, reason := LimitOf(c)
		if word == "" {
			continue
		}
		i, seen := at[[2]string{word, reason}]
		if !seen {
			i = len(out)
			at[[2]string{word, reason}] = i
			out = append(out, Limit{Word: word, Reason: reason})
		}
		out[i].Checks = append(out[i].Checks, c)
	}
	return out
}

// LimitOf returns no word for a check that saw all it needs.
func LimitOf(c Check) (word, reason string) {
	switch {
	case c.Status == check.Skipped.String():
		return "SKIPPED", c.of() + c.Reason
	case c.Status == check.NotApplicable.String():
		return "NOT APPLICABLE", c.of() + c.Reason
	case c.Coverage == PartialCoverage:
		return "PARTIAL", c.of() + c.unjudged()
	default:
		return "", ""
	}
}

// Subject names the checks of a limit.
func (l Limit) Subject() string {
	if len(l.Checks) == 1 {
		return l.Checks[0].ID + " " + l.Checks[0].Slug
	}
	ids := make([]string, 0, len(l.Checks))
	for _, c := range l.Checks {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}

// unjudged says what was not seen, and what of the rest could not be judged.
func (c Check) unjudged() string {
	switch {
	case len(c.Unseen) == 0 && c.Reason == "":
		return "a part could not be looked at"
	case len(c.Unseen) == 0:
		return "not fully checked: " + c.Reason
	case c.Reason == "":
		return UnseenText(c.Unseen)
	default:
		return UnseenText(c.Unseen) + "; not fully checked: " + c.Reason
	}
}

// UnseenText says what could not be read and why: the first request, and how many more.
func UnseenText(list []snapshot.Unseen) string {
	u := list[0]
	text := fmt.Sprintf("could not %s %s", u.Verb, u.Resource)
	if u.Name != "" {
		text += " " + u.Name
	}
	if u.Namespace != "" {
		text += " in namespace " + u.Namespace
	}
	text += ": " + u.Reason
	if more := snapshot.Unseens(list) - u.Objects(); more > 0 {
		text += fmt.Sprintf(" (and %d more, see -o json)", more)
	}
	return text
}
