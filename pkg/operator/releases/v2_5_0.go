package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v2_5_0 is of 2026-03-19: job namespaces by their labels, and a webhook for SparkConnect.
func v2_5_0() release.Release {
	return release.Release{
		Version: version(2, 5, 0), Compared: "v2.4.0", Hop: true,
		Set: func(f *release.Facts) {
			f.Chart.HookForces = true   // charts/spark-operator-chart/templates/hook/job.yaml@v2.4.0 and @v2.5.0, #2785, #2800
			f.Chart.LabelledOnly = true // cmd/operator/controller/start.go@v2.5.0
			f.Chart.Spark = "4.0.1"
			f.CRDs.ConnectHook = true    // charts/spark-operator-chart/templates/webhook/{mutating,validating}webhookconfiguration.yaml@v2.5.0
			f.RefusesConnectNames = true // internal/webhook/sparkconnect_validator.go@v2.5.0
			f.RefusesSchedulers = true   // shouldDoBatchScheduling in internal/controller/sparkapplication/controller.go@v2.4.0 and @v2.5.0
			f.Schedules.Precision = true // cmd/operator/controller/start.go@v2.5.0
		},
		Defects: []release.Defect{{
			ID: "selected-namespaces-unmutated", Check: "SD1007", Harm: release.Stops,
			Does: "does not pass --namespace-selector to its webhook", Source: "cmd/operator/webhook/start.go@v2.5.2, #2913",
		}},
		Fixes: []string{"gang-of-unknown-size", "hook-fails-at-fields-of-helm", "connect-needs-executor-template"},
		Grants: []release.Grant{
			{To: release.ToController, Place: release.ClusterWide, Resource: "namespaces", Verbs: readVerbs, SelectNamespaces: true},
		},
		Needs: release.Needs{Controller: []release.Permission{{
			Verbs: []string{"list", "watch"}, Resource: "namespaces", Place: release.ClusterWide, When: release.SelectNamespaces,
			Breaks: "it reconciles nothing", Source: "cmd/operator/controller/start.go@v2.5.0 (#2808)",
		}}},
	}
}
