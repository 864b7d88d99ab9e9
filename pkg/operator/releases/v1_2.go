package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v1_2 is of charts 1.2.4 to 1.2.15 (charts/spark-operator-chart/Chart.yaml of each tag); the numbers between them were never released.
func v1_2() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Application: "v1beta2-1.4.0-3.5.0"},
			{Application: "v1beta2-1.4.1-3.5.0", Charts: patches(1, 2, 4)},
			{Application: "v1beta2-1.4.2-3.5.0", Charts: patches(1, 2, 5)},
			{Application: "v1beta2-1.4.3-3.5.0", Charts: patches(1, 2, 7, 11)},
			{Application: "v1beta2-1.4.4-3.5.0", Charts: patches(1, 2, 12, 13)},
			{Application: "v1beta2-1.4.5-3.5.0", Charts: patches(1, 2, 14)},
			{Application: "v1beta2-1.4.6-3.5.0", Charts: patches(1, 2, 15)},
		},
		Releases: []release.Release{
			{
				Version: version(1, 4, 1),
				Grants: []release.Grant{ // charts/spark-operator-chart/templates/rbac.yaml@spark-operator-chart-1.2.4
					everywhere("", "services", "create delete get patch update"), everywhere("", "configmaps", "create delete get patch update"),
					everywhere("", "secrets", "create delete get patch update"), everywhere("", "persistentvolumeclaims", "*"),
					everywhere(snapshot.SparkGroup, "sparkapplications/finalizers", "*"),
					everywhere(snapshot.SparkGroup, "scheduledsparkapplications/finalizers", "*"),
				},
			},
			{
				Version: version(1, 4, 3),
				// Since chart 1.2.11; 1.2.7, with the same application, grants create, delete and update, too.
				Grants: []release.Grant{everywhere("apiextensions.k8s.io", "customresourcedefinitions", "get")},
				Set: func(f *release.Facts) {
					// charts/spark-operator-chart/values.yaml@spark-operator-chart-1.2.11. Those of 1.2.4 to 1.2.7 have
					// ghcr.io/kubeflow/spark-operator, which counts as a mirror.
					f.Chart.Repository = "docker.io/kubeflow/spark-operator"
				},
				Defects: []release.Defect{{
					ID: "lock-identity-empty", Fix: "chart 1.3.1", Harm: release.Stops,
					Does:         "does not start with leader election, because its chart does not set POD_NAME",
					Installation: electsWithoutName, Source: "main.go@spark-operator-chart-1.2.7 and @spark-operator-chart-1.2.15, #1987, #2039",
				}},
			},
		},
	}
}
