package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ScopeNamespace is the level of a scope that ends at its namespaces: what the user may not read beyond them is nobody's gap.
const ScopeNamespace = "namespace"

// ClusterRead are the checks that need to read beyond the namespaces of a user who may not, and the command that grants it.
type ClusterRead struct {
	Source  string   `json:"source,omitempty"` // of several
	Checks  []string `json:"checks"`
	Command string   `json:"command"`
	Without string   `json:"without,omitempty"` // the scan that needs none of it; empty: this is one
}

// NamespaceRead are the checks that may not read all they need within the namespaces that were asked for, and the command that grants it
// there.
type NamespaceRead struct {
	Source     string   `json:"source,omitempty"` // of several
	Checks     []string `json:"checks"`
	Namespaces []string `json:"namespaces"`
	Requests   []string `json:"requests"` // that were refused: "list pods"
	Command    string   `json:"command"`
}

// Lack is what some checks may not read, in lines: which, and who changes that by what command.
type Lack struct {
	Checks []string
	Text   string
}

// Lacks are told in place of the limits of their checks. In a scope that ends at its namespaces, what is beyond them is not looked at on
// purpose: -o wide and JSON have it.
func (r *Report) Lacks() []Lack {
	var out []Lack
	for _, n := range r.NamespaceRead {
		out = append(out, Lack{n.Checks, n.Text()})
	}
	if r.Scope.Level == ScopeNamespace {
		return out
	}
	for _, c := range r.ClusterRead {
		out = append(out, Lack{c.Checks, c.Text()})
	}
	return out
}

// Text says it in one line, and in others what an administrator does, and what works without.
func (c ClusterRead) Text() string {
	need := "checks need"
	if len(c.Checks) == 1 {
		need = "check needs"
	}
	text := fmt.Sprintf("%s%d %s cluster-wide read%s", of(c.Source), len(c.Checks), need, granted(c.Command))
	if c.Without != "" && c.Command != "" {
		text += "\nwithout it, the namespace alone: " + c.Without
	}
	return text
}

// Text says it in one line, and in another what an administrator does.
func (n NamespaceRead) Text() string {
	checks := "checks"
	if len(n.Checks) == 1 {
		checks = "check"
	}
	return fmt.Sprintf("%s%d %s could not %s in namespace %s: forbidden%s", of(n.Source), len(n.Checks), checks,
		n.requests(), strings.Join(n.Namespaces, ", "), granted(n.Command))
}

// shownRequests bounds what a line names of what was refused; NamespaceRead has all.
const shownRequests = 3

// requests are what was refused, of which each verb is said once: "list pods, services and 3 more kinds".
func (n NamespaceRead) requests() string {
	verb, words := "", make([]string, 0, shownRequests)
	for _, one := range n.Requests[:min(len(n.Requests), shownRequests)] {
		if v, resource, _ := strings.Cut(one, " "); v == verb {
			words = append(words, resource)
		} else {
			verb, words = v, append(words, one)
		}
	}
	text := strings.Join(words, ", ")
	if more := len(n.Requests) - shownRequests; more > 0 {
		text += " and " + phrase.Counted(more, "other kind")
	}
	return text
}

// granted is the line of an administrator. A report that was read from a file has none.
func granted(line string) string {
	if line == "" {
		return ""
	}
	return "\n" + command.Administrator + line
}

// toldApart is of how many kinds that may not be read checks are still told one by one: a user who lacks a permission wants to know
// which.
const toldApart = 3

// FoldRights puts the checks together that lack rights: those that may not look at everything within the namespaces that were asked for,
// and those that may not look beyond. user is a name as the API server knows it; empty: unknown.
func (r *Report) FoldRights(user string) {
	r.ClusterRead, r.NamespaceRead = nil, nil
	var beyond []string
	var within NamespaceRead
	kinds := map[string]bool{}
	for _, c := range r.Checks {
		switch own, only := r.forbidden(c); {
		case !only:
		case len(own) == 0:
			beyond = append(beyond, c.ID)
			for _, u := range c.Unseen {
				kinds[u.Resource] = true
			}
		default:
			within.Checks, within.Requests = append(within.Checks, c.ID), append(within.Requests, own...)
		}
	}
	if len(within.Checks) > 0 {
		slices.Sort(within.Requests)
		within.Requests, within.Namespaces = slices.Compact(within.Requests), r.Scope.Namespaces
		within.Command = r.asked.In(command.Rights{For: command.ForWhy, Namespaces: r.Scope.Namespaces, User: user}.Line())
		r.NamespaceRead = []NamespaceRead{within}
	}
	if len(beyond) == 0 || len(kinds) <= toldApart && r.Scope.Level != ScopeNamespace {
		return
	}
	without := ""
	if r.Scope.Level != ScopeNamespace {
		without = r.asked.In("kubectl sparkdoctor scan --scope namespace")
	}
	r.ClusterRead = []ClusterRead{{Checks: beyond, Command: r.asked.In(command.Rights{User: user}.Line()), Without: without}}
}

// forbidden are the requests within the namespaces that a check was refused. only says that nothing limits it but what the user may not
// read.
func (r *Report) forbidden(c Check) (own []string, only bool) {
	limited := c.Status == check.Skipped.String() || c.Coverage == PartialCoverage && c.Status != check.NotApplicable.String()
	if !limited || len(c.Unseen) == 0 {
		return nil, false
	}
	for _, u := range c.Unseen {
		if u.Reason != snapshot.Forbidden {
			return nil, false
		}
		if !r.beyond(u) {
			own = append(own, u.Verb+" "+u.Resource)
		}
	}
	return own, true
}

// beyond reports whether something that was forbidden is no part of what a user of namespaces looks after: nothing is, in a scan of all of
// them. Who may edit a namespace may not read the roles in it (kubernetes.io/docs/reference/access-authn-authz/rbac, user-facing roles).
func (r *Report) beyond(u snapshot.Unseen) bool {
	return !slices.Contains(r.Scope.Namespaces, u.Namespace) || strings.HasSuffix(u.Resource, ".rbac.authorization.k8s.io")
}

// needsClusterRead reports whether a check is one of those that look beyond the namespaces.
func (r *Report) needsClusterRead(c Check) bool {
	return slices.ContainsFunc(r.ClusterRead, func(l ClusterRead) bool {
		return l.Source == cmp.Or(c.Source, l.Source) && slices.Contains(l.Checks, c.ID)
	})
}

// needsNamespaceRead reports whether a check is one of those that may not read all within the namespaces.
func (r *Report) needsNamespaceRead(c Check) bool {
	return slices.ContainsFunc(r.NamespaceRead, func(l NamespaceRead) bool {
		return l.Source == cmp.Or(c.Source, l.Source) && slices.Contains(l.Checks, c.ID)
	})
}
