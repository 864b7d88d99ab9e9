package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
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
// files that is most of them. What ClusterRead tells is not told again.
func (r *Report) Limits(notApplicable bool) []Limit {
	if r.Void() {
		return nil // every check would say that its objects are not there
	}
	return limits(slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool {
		return r.needsClusterRead(c) || c.Status == check.NotApplicable.String() && !notApplicable
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
		return "could not judge: " + c.Reason
	case c.Reason == "":
		return UnseenText(c.Unseen)
	default:
		return UnseenText(c.Unseen) + "; could not judge: " + c.Reason
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

// ScopeNamespace is the level of a scope that ends at its namespaces: what the user may not read beyond them is nobody's gap.
const ScopeNamespace = "namespace"

// ClusterRead are the checks that need to read beyond the namespaces of a user who may not, and the command that prints the roles.
type ClusterRead struct {
	Source  string   `json:"source,omitempty"` // of several
	Checks  []string `json:"checks"`
	Command string   `json:"command"`
	Without string   `json:"without,omitempty"` // the scan that needs none of it; empty: this is one
}

// Text says it in one line, and in another what works without.
func (c ClusterRead) Text() string {
	need := "checks need"
	if len(c.Checks) == 1 {
		need = "check needs"
	}
	text := fmt.Sprintf("%s%d %s cluster-wide read", of(c.Source), len(c.Checks), need)
	if c.Command == "" { // of a report that was read from a file
		return text
	}
	text += ": " + c.Command
	if c.Without != "" {
		text += "\nwithout it, the namespace alone: " + c.Without
	}
	return text
}

// toldApart is of how many kinds that may not be read checks are still told one by one: a user who lacks a permission wants to know which.
const toldApart = 3

// FoldClusterRead puts the checks together that the user may not let look beyond the namespaces. user is a name as the API server
// knows it; empty: unknown.
func (r *Report) FoldClusterRead(user string) {
	r.ClusterRead = nil
	var ids []string
	kinds := map[string]bool{}
	for _, c := range r.Checks {
		if r.forbiddenBeyond(c) {
			ids = append(ids, c.ID)
			for _, u := range c.Unseen {
				kinds[u.Resource] = true
			}
		}
	}
	if len(ids) == 0 || len(kinds) <= toldApart && r.Scope.Level != ScopeNamespace {
		return
	}
	without := ""
	if r.Scope.Level != ScopeNamespace {
		without = r.asked.In("kubectl sparkdoctor scan --scope namespace")
	}
	asked := r.asked
	// An administrator runs it.
	asked.As = ""
	asked.AsUID = ""
	asked.AsGroups = nil
	asked.User = ""
	asked.Namespace = ""
	asked.Selector = ""
	r.ClusterRead = []ClusterRead{{Checks: ids, Command: asked.In("kubectl sparkdoctor rbac --discover" + bindTo(user)), Without: without}}
}

// bindTo are the arguments that give a user the roles. How service accounts are named:
// kubernetes.io/docs/reference/access-authn-authz/authentication (system:serviceaccount:(NAMESPACE):(SERVICEACCOUNT)).
func bindTo(user string) string {
	kind := "user="
	if account, is := strings.CutPrefix(user, "system:serviceaccount:"); is {
		kind, user = "serviceaccount=", account
	}
	if user == "" {
		return ""
	}
	return " --bind " + command.Quoted(kind+user)
}

// forbiddenBeyond reports whether nothing limits a check but that the user may not read what is beyond the namespaces.
func (r *Report) forbiddenBeyond(c Check) bool {
	limited := c.Status == check.Skipped.String() || c.Coverage == PartialCoverage && c.Status != check.NotApplicable.String()
	return limited && len(c.Unseen) > 0 && !slices.ContainsFunc(c.Unseen, func(u snapshot.Unseen) bool { return !r.beyond(u) })
}

// beyond reports whether something that was not seen is no part of what a user of namespaces looks after. Who may edit a namespace
// may not read the roles in it (kubernetes.io/docs/reference/access-authn-authz/rbac, user-facing roles).
func (r *Report) beyond(u snapshot.Unseen) bool {
	if u.Reason != snapshot.Forbidden {
		return false
	}
	outside := len(r.Scope.Namespaces) > 0 && !slices.Contains(r.Scope.Namespaces, u.Namespace)
	return u.Namespace == "" || strings.HasSuffix(u.Resource, ".rbac.authorization.k8s.io") || outside
}

// needsClusterRead reports whether a check is one of those that are told in one line.
func (r *Report) needsClusterRead(c Check) bool {
	return slices.ContainsFunc(r.ClusterRead, func(l ClusterRead) bool {
		return l.Source == cmp.Or(c.Source, l.Source) && slices.Contains(l.Checks, c.ID)
	})
}
