package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v2_5_1 is of 2026-06-14. Its chart takes away what the operator does not need, and more (#2914, #2917).
func v2_5_1() release.Release {
	const ingresses = "networking.k8s.io"
	cached := []string{"list", "watch"}
	return release.Release{
		Version: version(2, 5, 1), Compared: "v2.5.0", Hop: true,
		Set: func(f *release.Facts) {
			f.Chart.SideEffects = "None"
		},
		Fixes:  []string{"executor-metrics-lost", "local-dir-medium-dropped"},
		Grants: grants2_5_1(),
		// A cached Get starts an informer, for which the worker waits: since 2.5.1 before each create (#2868), before
		// that only when an application is rerun. The charts of 2.0.x, 2.5.1 and 2.5.2 leave it out (#2246, #2914).
		Needs: release.Needs{Controller: []release.Permission{{
			Verbs: cached, Group: ingresses, Resource: "ingresses", Place: release.WhenFirstRead, When: release.UIIngresses,
			Breaks: "its workers wait forever for ingresses and applications stay SUBMITTED",
			Source: "internal/controller/sparkapplication/driveringress.go@v2.5.1; " +
				"charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.5.2",
		}}},
		NeedsNoMore: []release.Permission{{Verbs: cached, Group: ingresses, Resource: "ingresses", When: release.UIIngresses}},
	}
}

func grants2_5_1() []release.Grant {
	const group = snapshot.SparkGroup
	out := []release.Grant{
		jobs("", "pods", "create delete get list update watch"),
		jobs("", "configmaps", "create get list patch update watch"),
		jobs("", "persistentvolumeclaims", ""),
		jobs("extensions", "ingresses", "create delete get update"),
		jobs("networking.k8s.io", "ingresses", "create delete get update"),
		grant(release.ToController, release.ClusterWide, "", "nodes", "", ""),
		grant(release.ToWebhook, release.ClusterWide, "", "events", "", ""),
		hooks("", "pods", "list watch"),
		hooks("", "resourcequotas", "list"),
		jobs(group, "sparkapplications", "create delete get list watch"),
		jobs(group, "scheduledsparkapplications", readVerbs),
		jobs(group, "sparkconnects", readVerbs),
	}
	for _, kind := range []string{"sparkapplications", "scheduledsparkapplications", "sparkconnects"} {
		out = append(out, jobs(group, kind+"/status", "update"), jobs(group, kind+"/finalizers", "update"))
	}
	for _, kind := range []string{"sparkapplications", "scheduledsparkapplications"} {
		out = append(out, hooks(group, kind, readVerbs), hooks(group, kind+"/status", ""), hooks(group, kind+"/finalizers", ""))
	}
	return out
}
