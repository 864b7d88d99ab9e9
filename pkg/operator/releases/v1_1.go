package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v1_1 is of charts 1.1.0 to 1.1.27 (charts/spark-operator-chart/Chart.yaml of each tag); 1.1.16 and 1.1.17 were never released.
func v1_1() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Application: "v1beta2-1.2.3-3.1.1", Charts: patches(1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)},
			{Application: "v1beta2-1.3.0-3.1.1", Charts: patches(1, 1, 14)},
			{Application: "v1beta2-1.3.1-3.1.1", Charts: patches(1, 1, 15)},
			{Application: "v1beta2-1.3.2-3.1.1"},
			{Application: "v1beta2-1.3.3-3.1.1", Charts: patches(1, 1, 18, 19)},
			{Application: "v1beta2-1.3.4-3.1.1", Charts: patches(1, 1, 20)},
			{Application: "v1beta2-1.3.5-3.1.1", Charts: patches(1, 1, 21)},
			{Application: "v1beta2-1.3.6-3.1.1", Charts: patches(1, 1, 22, 23)},
			{Application: "v1beta2-1.3.7-3.1.1", Charts: patches(1, 1, 24, 25)},
			{Application: "v1beta2-1.3.8-3.1.1", Charts: patches(1, 1, 26, 27)},
		},
		Releases: []release.Release{
			{
				Version: version(1, 3, 0),
				Mutates: []release.Mutation{
					{Field: snapshot.ShareProcessNamespace, Source: "pkg/webhook/patch.go@spark-operator-chart-1.1.15, " + mutator},
				},
			},
			{
				Version: version(1, 3, 3),
				Set: func(f *release.Facts) {
					// charts/spark-operator-chart/values.yaml@spark-operator-chart-1.1.18
					f.Chart.Repository = "ghcr.io/googlecloudplatform/spark-operator"
				},
			},
		},
	}
}
