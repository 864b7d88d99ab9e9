package report

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// limit says in one word how the view of some checks was limited, and why.
type limit struct {
	word   string // SKIPPED, PARTIAL, NOT APPLICABLE or NOTE
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
		if word == "" || c.Status == checks.NotApplicable.String() && !notApplicable {
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
	case c.Status == checks.Skipped.String():
		return "SKIPPED", c.of() + c.Reason
	case c.Coverage == "partial":
		return "PARTIAL", c.of() + unseenText(c.Unseen)
	case c.Reason == "":
		return "", ""
	case c.Status == checks.NotApplicable.String():
		return "NOT APPLICABLE", c.of() + c.Reason
	default:
		return "NOTE", c.of() + c.Reason
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

func unseenText(list []snapshot.Unseen) string {
	if len(list) == 0 {
		return "a part could not be looked at"
	}
	u := list[0]
	text := fmt.Sprintf("could not %s %s", u.Verb, u.Resource)
	if u.Name != "" {
		text += " " + u.Name
	}
	if u.Namespace != "" {
		text += " in namespace " + u.Namespace
	}
	text += ": " + u.Reason
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more, see -o json)", len(list)-1)
	}
	return text
}
