package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v2_2_1 is of 2025-06-27, the first whose tag is a version of a Go module.
func v2_2_1() release.Release {
	return release.Release{
		Version: version(2, 2, 1), Compared: "v2.2.0", Hop: true,
		Set: func(f *release.Facts) {
			f.Module = true
			f.UIServiceLate = true // reconcileSubmittedSparkApplication in internal/controller/sparkapplication/controller.go@v2.2.1, #2698
		},
		Defects: []release.Defect{{
			ID: "ui-path-not-set", Harm: release.Spoils,
			Does:         "sets spark.ui.proxyBase only after the submission: behind an Ingress with a path, the links of the Spark UI are broken",
			Installation: putsUIBehindPath, Application: leavesProxyBase, Unused: true,
			Source: "reconcileSubmittedSparkApplication in internal/controller/sparkapplication/controller.go@v2.2.1, " +
				"internal/controller/sparkapplication/web_ui.go@v2.3.0, #2597, #2599",
		}},
		Grants: []release.Grant{
			jobs("extensions", "ingresses", "create delete get list update watch"),
			jobs("networking.k8s.io", "ingresses", "create delete get list update watch"),
		},
		Notes: []release.Note{{
			Clients: true, When: release.Before, Do: "make clients of an application's UI Service wait until the application is submitted",
			Why: "creates the UI Service and its Ingress after submission; earlier releases create them before",
			Source: "reconcileSubmittedSparkApplication in internal/controller/sparkapplication/controller.go@v2.2.1, " +
				"submitSparkApplication @v2.2.0",
		}},
	}
}
