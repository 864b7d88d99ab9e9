package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Account is a service account that the chart makes.
type Account int

const (
	ToController Account = iota // in 1.x the operator, which is its own webhook
	ToWebhook
	ToDrivers
)

// Grant is what the chart of a release lets an account do with a resource. In JobNamespaces, a Role in each of them
// grants it, or a ClusterRole if all are watched; 1.x has a ClusterRole in any case.
type Grant struct {
	To       Account
	Place    Place
	Group    string
	Resource string // with the subresource: "sparkapplications/status"
	Suffix   string // of the one object that is concerned, behind the full name of the release; empty: all
	Verbs    string // with blanks between, sorted; "*" is any
	Since    Version
	Until    Version // first release that does not grant it; zero: none

	SelectNamespaces bool // only with spark.jobNamespaceSelector
}

// verbs that occur together
const (
	all7       = "create delete get list patch update watch"
	all8       = "create delete deletecollection get list patch update watch"
	readVerbs  = "get list watch"
	patchVerbs = "get patch update"
	eventVerbs = "create patch update"
)

// chartGrants lists what the charts of 2.x grant by default (charts/spark-operator-chart/templates/{controller,webhook}/
// {_helpers.tpl,rbac.yaml} and spark/rbac.yaml@v2.0.0 to @v2.5.2). Batch schedulers add the resources of theirs. 2.5.1 takes away
// what the operator does not need, and more (#2914, #2917).
func chartGrants() []Grant {
	tight := Version{2, 5, 1}
	of := func(to Account, place Place, group, resource, verbs string, since, until Version) Grant {
		return Grant{To: to, Place: place, Group: group, Resource: resource, Verbs: verbs, Since: since, Until: until}
	}
	jobs := func(group, resource, verbs string, since, until Version) Grant {
		return of(ToController, InJobNamespaces, group, resource, verbs, since, until)
	}
	hooks := func(group, resource, verbs string, since, until Version) Grant {
		return of(ToWebhook, InJobNamespaces, group, resource, verbs, since, until)
	}
	var first, never Version
	const leases = "coordination.k8s.io"
	out := []Grant{
		jobs("", "pods", all8, first, tight), jobs("", "pods", "create delete get list update watch", tight, never),
		jobs("", "services", all7, first, never),
		jobs("", "configmaps", "create delete get patch update", first, Version{2, 0, 1}), // #2185
		jobs("", "configmaps", all7, Version{2, 0, 1}, tight), jobs("", "configmaps", "create get list patch update watch", tight, never),
		jobs("", "persistentvolumeclaims", all7, Version{2, 0, 1}, tight), // #2187
		jobs("", "events", eventVerbs, Version{2, 1, 1}, never),           // #2426
		of(ToController, ClusterWide, "", "events", eventVerbs, first, Version{2, 1, 1}),
		of(ToController, InReleaseNamespace, "", "events", eventVerbs, Version{2, 4, 0}, never), // #2616
		of(ToController, ClusterWide, "", "nodes", "get", first, tight),
		of(ToController, ClusterWide, "apiextensions.k8s.io", "customresourcedefinitions", "get", first, never),
		of(ToController, InReleaseNamespace, leases, "leases", "create", first, never),
		of(ToWebhook, InReleaseNamespace, leases, "leases", "create", first, never),
		of(ToWebhook, InReleaseNamespace, "", "secrets", "create", first, never),
		of(ToWebhook, ClusterWide, "", "events", eventVerbs, first, tight),
		of(ToWebhook, InReleaseNamespace, "", "events", eventVerbs, Version{2, 5, 2}, never), // #3027
		hooks("", "pods", readVerbs, first, tight), hooks("", "pods", "list watch", tight, never),
		hooks("", "resourcequotas", readVerbs, first, tight), hooks("", "resourcequotas", "list", tight, never),
		named(of(ToController, InReleaseNamespace, leases, "leases", "get update", first, never), "-controller-lock"),
		named(of(ToWebhook, InReleaseNamespace, leases, "leases", "get update", first, never), "-webhook-lock"),
		named(of(ToWebhook, InReleaseNamespace, "", "secrets", "get update", first, never), "-webhook-certs"),
		{To: ToController, Place: ClusterWide, Resource: "namespaces", Verbs: readVerbs, Since: Version{2, 5, 0}, SelectNamespaces: true},
	}
	for _, group := range []string{"extensions", "networking.k8s.io"} {
		out = append(out,
			jobs(group, "ingresses", "create delete get", first, Version{2, 1, 0}),
			jobs(group, "ingresses", "create delete get list watch", Version{2, 1, 0}, Version{2, 2, 1}), // #2246
			jobs(group, "ingresses", "create delete get list update watch", Version{2, 2, 1}, tight),
			jobs(group, "ingresses", "create delete get update", tight, never),
		)
	}
	for _, resource := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		grant := of(ToWebhook, ClusterWide, "admissionregistration.k8s.io", resource, "list watch", first, never)
		out = append(out, grant)
		grant.Verbs = "get update"
		out = append(out, named(grant, "-webhook"))
	}
	for _, resource := range []string{"pods", "services", "configmaps", "persistentvolumeclaims"} {
		out = append(out, of(ToDrivers, InJobNamespaces, "", resource, all8, first, never))
	}
	return slices.Concat(out, sparkGrants(jobs, hooks))
}

// sparkGrants are those on the operator's own kinds.
func sparkGrants(jobs, hooks func(group, resource, verbs string, since, until Version) Grant) []Grant {
	const group = snapshot.SparkGroup
	var first, never Version
	tight, connect := Version{2, 5, 1}, Version{2, 3, 0}
	out := []Grant{
		jobs(group, "sparkapplications", all7, first, tight), jobs(group, "sparkapplications", "create delete get list watch", tight, never),
		jobs(group, "scheduledsparkapplications", all7, first, tight), jobs(group, "scheduledsparkapplications", readVerbs, tight, never),
		jobs(group, "sparkconnects", all7, connect, tight), jobs(group, "sparkconnects", readVerbs, tight, never),
	}
	since := map[string]Version{"sparkconnects/status": connect, "sparkconnects/finalizers": {2, 4, 0}} // #2727
	for _, resource := range []string{"sparkapplications", "scheduledsparkapplications", "sparkconnects"} {
		for _, sub := range []string{"/status", "/finalizers"} {
			out = append(out, jobs(group, resource+sub, patchVerbs, since[resource+sub], tight), jobs(group, resource+sub, "update", tight, never))
		}
		if resource == "sparkconnects" {
			continue
		}
		out = append(out,
			hooks(group, resource, all7, first, tight), hooks(group, resource, readVerbs, tight, never),
			hooks(group, resource+"/status", all7, first, tight), hooks(group, resource+"/finalizers", all7, first, tight),
		)
	}
	return out
}

func named(g Grant, suffix string) Grant {
	g.Suffix = suffix
	return g
}

// legacyGrants lists those of chart 1.4.6 (charts/spark-operator-chart/templates/{rbac,spark-rbac}.yaml); the webhook adds
// Jobs, a second replica leases.
func legacyGrants() []Grant {
	var out []Grant
	add := func(to Account, place Place, group, verbs string, resources ...string) {
		for _, resource := range resources {
			out = append(out, Grant{To: to, Place: place, Group: group, Resource: resource, Verbs: verbs})
		}
	}
	add(ToController, ClusterWide, "", "*", "pods", "persistentvolumeclaims")
	add(ToController, ClusterWide, "", "create delete get patch update", "services", "configmaps", "secrets")
	add(ToController, ClusterWide, "extensions", "create delete get", "ingresses")
	add(ToController, ClusterWide, "networking.k8s.io", "create delete get", "ingresses")
	add(ToController, ClusterWide, "", "get", "nodes")
	add(ToController, ClusterWide, "", eventVerbs, "events")
	add(ToController, ClusterWide, "", readVerbs, "resourcequotas")
	add(ToController, ClusterWide, "apiextensions.k8s.io", "get", "customresourcedefinitions")
	add(ToController, ClusterWide, "admissionregistration.k8s.io", "create delete get update", "mutatingwebhookconfigurations", "validatingwebhookconfigurations")
	add(ToController, ClusterWide, snapshot.SparkGroup, "*", "sparkapplications", "sparkapplications/status", "sparkapplications/finalizers",
		"scheduledsparkapplications", "scheduledsparkapplications/status", "scheduledsparkapplications/finalizers")
	add(ToDrivers, InJobNamespaces, "", "*", "pods", "configmaps", "persistentvolumeclaims", "services")
	return out
}

// GrantsOf returns what the chart of a release grants.
func GrantsOf(v Version) []Grant {
	if v.Major == 1 {
		return legacyGrants()
	}
	return slices.DeleteFunc(chartGrants(), func(g Grant) bool {
		return v.Compare(g.Since) < 0 || !g.Until.IsZero() && v.Compare(g.Until) >= 0
	})
}

// Allows reports whether the chart of a release lets an account use a verb on all objects of a resource in the job
// namespaces.
func Allows(v Version, to Account, verb, group, resource string) bool {
	return slices.ContainsFunc(GrantsOf(v), func(g Grant) bool {
		return g.To == to && g.Group == group && g.Resource == resource && g.Suffix == "" && !g.SelectNamespaces && g.Place != InReleaseNamespace &&
			slices.ContainsFunc(g.verbs(), func(granted string) bool { return granted == "*" || granted == verb })
	})
}

func (g *Grant) verbs() []string { return strings.Fields(g.Verbs) }
