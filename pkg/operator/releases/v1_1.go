package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v1_1 is of charts 1.1.0 to 1.1.27 (charts/spark-operator-chart/Chart.yaml of each).
func v1_1() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Chart: version(1, 1, 0), Application: version(1, 2, 3)},
			{Chart: version(1, 1, 14), Application: version(1, 3, 0)},
			{Chart: version(1, 1, 15), Application: version(1, 3, 1)},
			{Chart: version(1, 1, 18), Application: version(1, 3, 3)},
			{Chart: version(1, 1, 20), Application: version(1, 3, 4)},
			{Chart: version(1, 1, 21), Application: version(1, 3, 5)},
			{Chart: version(1, 1, 22), Application: version(1, 3, 6)},
			{Chart: version(1, 1, 24), Application: version(1, 3, 7)},
			{Chart: version(1, 1, 26), Application: version(1, 3, 8)},
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
