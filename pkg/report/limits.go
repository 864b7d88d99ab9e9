package report

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// partialCoverage is the word of the report for a check that judged some of its subjects.
const partialCoverage = "partial"

// limit says in one word how the view of some checks was limited, and why.
type limit struct {
	word   string // SKIPPED, PARTIAL or NOT APPLICABLE
	reason string
	checks []Check
}

// limits says which checks could not look, or only in part, and what permission they lack. Checks that have the same
// reason share a limit: one missing permission often stops many. Those that are not applicable are told on demand: on
// files that is most of them.
func (r *Report) limits(notApplicable bool) []limit {
	var out []limit
	at := map[[2]string]int{}
	for _, c := range r.Checks {
		word, reason := limitOf(c)
		if word == "" || c.Status == check.NotApplicable.String() && !notApplicable {
			continue
		}
		i, seen := at[[2]string{word, reason}]
		if !seen {
			i = len(out)
			at[[2]string{word, reason}] = i
			out = append(out, limit{word: word, reason: reason})
		}
		out[i].checks = append(out[i].checks, c)
	}
	return out
}

// limitOf returns no word for a check that saw all it needs.
func limitOf(c Check) (word, reason string) {
	switch {
	case c.Status == check.Skipped.String():
		return "SKIPPED", c.of() + c.Reason
	case c.Status == check.NotApplicable.String():
		return "NOT APPLICABLE", c.of() + c.Reason
	case c.Coverage == partialCoverage:
		return "PARTIAL", c.of() + c.unjudged()
	default:
		return "", ""
	}
}

// subject names the checks of a limit.
func (l limit) subject() string {
	if len(l.checks) == 1 {
		return l.checks[0].ID + " " + l.checks[0].Slug
	}
	ids := make([]string, 0, len(l.checks))
	for _, c := range l.checks {
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
		return "could not judge: " + c.Reason
	case c.Reason == "":
		return unseenText(c.Unseen)
	default:
		return unseenText(c.Unseen) + "; could not judge: " + c.Reason
	}
}

func unseenText(list []snapshot.Unseen) string {
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
