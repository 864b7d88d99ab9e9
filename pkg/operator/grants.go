package operator

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// GrantsOf returns what the chart of a release grants.
func GrantsOf(v Version) []Grant { return slices.Clone(releases.Of(v).Grants) }

// Allows reports whether the chart of a release lets an account use a verb on all objects of a resource in the job
// namespaces.
func Allows(v Version, to Account, verb, group, resource string) bool {
	return slices.ContainsFunc(releases.Of(v).Grants, func(g Grant) bool {
		whole := g.Suffix == "" && !g.SelectNamespaces && g.Place != InReleaseNamespace
		return whole && g.To == to && g.Group == group && g.Resource == resource && g.Allows(verb)
	})
}

// Grants reports whether the chart of a release grants an account a verb on a resource, wherever, and be it on one object. Charts of 1.x
// grant two more with a webhook and with a second replica
// (charts/spark-operator-chart/templates/rbac.yaml@spark-operator-chart-1.1.26 and @spark-operator-chart-1.4.6).
func Grants(v Version, to Account, verb, group, resource string) bool {
	jobs := group == "batch" && resource == "jobs"
	leases := group == "coordination.k8s.io" && resource == "leases"
	if v.Major == 1 && (jobs || leases) {
		return true
	}
	return slices.ContainsFunc(releases.Of(v).Grants, func(g Grant) bool {
		allowed := g.Allows(verb) || verb == "*" && g.Verbs != ""
		return g.To == to && g.Group == group && g.Resource == resource && allowed
	})
}

// Shortfall is a permission that a release needs and that its own chart does not grant.
type Shortfall struct {
	Permission
	Missing []string // verbs
	To      Account
}

// Shortfalls returns them for a release of 2.x. What is seen in a cluster counts more: there somebody may have granted it.
func Shortfalls(v Version) []Shortfall {
	if v.Major == 1 {
		return nil
	}
	facts := releases.Of(v)
	var out []Shortfall
	add := func(to Account, needs []Permission) {
		for _, need := range needs {
			missing := slices.DeleteFunc(slices.Clone(need.Verbs), func(verb string) bool {
				return slices.ContainsFunc(facts.Grants, func(g Grant) bool { return g.To == to && covers(&g, &need, verb) })
			})
			if len(missing) > 0 {
				out = append(out, Shortfall{need, missing, to})
			}
		}
	}
	add(ToController, facts.Needs.Controller)
	add(ToWebhook, facts.Needs.Webhook)
	return out
}

// Denies reports whether the chart of a release does not grant its controller what a feature cannot do without.
func Denies(v Version, f Feature) bool {
	return slices.ContainsFunc(Shortfalls(v), func(s Shortfall) bool { return s.To == ToController && s.When == f && !s.Degrades })
}

// covers reports whether a grant covers a verb of a need. A grant by name covers it, too: charts name the very object.
func covers(g *Grant, need *Permission, verb string) bool {
	resource := need.Resource
	if need.Subresource != "" {
		resource += "/" + need.Subresource
	}
	return g.Group == need.Group && g.Resource == resource && slices.Contains(g.VerbList(), verb) &&
		g.SelectNamespaces == (need.When == SelectNamespaces)
}
