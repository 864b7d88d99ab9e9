package changes

import (
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// places are the namespaces in which something is allowed; the empty one is all of them.
type places map[string]bool

// placesOf groups permissions by what they allow, with the namespaces of each.
func placesOf(granted map[snapshot.Request]bool) map[snapshot.Request]places {
	out := map[snapshot.Request]places{}
	for q := range granted {
		ns := q.Namespace
		q.Namespace = ""
		if out[q] == nil {
			out[q] = places{}
		}
		out[q][ns] = true
	}
	return out
}

// without returns the namespaces that matter in which the permission is lost. A permission that was cluster-wide before is SD7005's.
func (p places) without(one, other places, matters func(string) bool) places {
	out := places{}
	for ns := range p {
		if ns != "" && !p[""] && !one[""] && !other[""] && !one[ns] && !other[ns] && matters(ns) {
			out[ns] = true
		}
	}
	return out
}

// text names at most maxChanges of them; empty: all namespaces.
func (p places) text() string {
	if p[""] || len(p) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(p))
	if len(names) == 1 {
		return " in namespace " + names[0]
	}
	return " in namespaces " + facts.SomeOf(names, maxChanges, "namespace")
}

// looksAfter reports whether the target needs its permissions in a namespace: its own, or one that it watches.
func (p upgradedPart) looksAfter(u *check.Upgrade, namespace string) bool {
	coming := u.Coming()
	if namespace == p.then.Namespace {
		return true
	}
	yes, _ := coming.Told(namespace, nil)
	return yes
}
