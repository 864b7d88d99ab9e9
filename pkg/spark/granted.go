package spark

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Granted returns what the bindings that name an account, and that are of a kind, allow it and in which namespaces, without names of
// objects. What everyone may is left out.
func (a *Access) Granted(who snapshot.Account, of func(*snapshot.Object) bool) map[snapshot.Request]bool {
	out := map[snapshot.Request]bool{}
	for _, list := range a.bindings {
		for _, b := range list {
			named := slices.ContainsFunc(b.Subjects, func(s snapshot.Grantee) bool { return !s.Everyone && s.Account == who })
			if !named || !of(&b.Object) {
				continue
			}
			rules, _ := a.role(b)
			for i := range rules {
				addGrants(out, &rules[i], b.Namespace)
			}
		}
	}
	return out
}

func addGrants(out map[snapshot.Request]bool, r *snapshot.AccessRule, namespace string) {
	for _, group := range r.Groups {
		for _, resource := range r.Resources {
			resource, subresource, _ := strings.Cut(resource, "/")
			for _, verb := range r.Verbs {
				out[snapshot.Request{Verb: verb, Group: group, Resource: resource, Subresource: subresource, Namespace: namespace}] = true
			}
		}
	}
}
