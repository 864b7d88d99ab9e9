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

// ScopeNamespace is the level of a scope that ends at its namespaces: what the user may not read beyond them is nobody's gap.
const ScopeNamespace = "namespace"

// ClusterRead are the checks that need to read beyond the namespaces of a user who may not, and the command that prints the roles.
type ClusterRead struct {
	Source  string   `json:"source,omitempty"` // of several
	Checks  []string `json:"checks"`
	Command string   `json:"command"`
}

// Text says it in one line.
func (c ClusterRead) Text() string {
	need := "checks need"
	if len(c.Checks) == 1 {
		need = "check needs"
	}
	text := fmt.Sprintf("%s%d %s cluster-wide read", of(c.Source), len(c.Checks), need)
	if c.Command == "" { // of a report that was read from a file
		return text
	}
	return text + ": " + c.Command
}

// toldApart is for how many reasons checks are still told one by one: whoever lacks one permission wants to know which.
const toldApart = 2

// FoldClusterRead puts the checks together that the user may not let look beyond the namespaces. user is a name as the API server
// knows it; empty: unknown.
func (r *Report) FoldClusterRead(user string) {
	r.ClusterRead = nil
	var ids []string
	reasons := map[string]bool{}
	for _, c := range r.Checks {
		if r.forbiddenBeyond(c) {
			ids = append(ids, c.ID)
			_, reason := LimitOf(c)
			reasons[reason] = true
		}
	}
	if len(ids) == 0 || len(reasons) <= toldApart && r.Scope.Level != ScopeNamespace {
		return
	}
	asked := r.asked
	asked.As, asked.AsUID, asked.AsGroups, asked.User, asked.Namespace, asked.Selector = "", "", nil, "", "", "" // an administrator runs it
	r.ClusterRead = []ClusterRead{{Checks: ids, Command: asked.In("kubectl sparkdoctor rbac --discover" + bindTo(user))}}
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
	return u.Namespace == "" || strings.HasSuffix(u.Resource, ".rbac.authorization.k8s.io") ||
		len(r.Scope.Namespaces) > 0 && !slices.Contains(r.Scope.Namespaces, u.Namespace)
}

// needsClusterRead reports whether a check is one of those that are told in one line.
func (r *Report) needsClusterRead(c Check) bool {
	return slices.ContainsFunc(r.ClusterRead, func(l ClusterRead) bool {
		return l.Source == cmp.Or(c.Source, l.Source) && slices.Contains(l.Checks, c.ID)
	})
}
