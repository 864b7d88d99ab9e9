package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v1_3 is of charts 1.3.0 to 1.3.2. The first two go back behind the application of 1.2.15.
func v1_3() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Application: "v1beta2-1.4.2-3.5.0", Charts: patches(1, 3, 0, 1)},
			{Application: "v1beta2-1.5.0-3.5.0", Charts: patches(1, 3, 2)},
		},
		Fatal: []release.Fatal{
			{
				Chart: version(1, 3, 0), Next: "chart 1.3.2",
				Why:    "brings application v1beta2-1.4.2, which is older than that of chart 1.2.15, and does not start with more than one replica",
				Source: "charts/spark-operator-chart/Chart.yaml@spark-operator-chart-1.3.0, #2039",
			},
			{
				Chart: version(1, 3, 1), Next: "chart 1.3.2", Why: "brings application v1beta2-1.4.2, which is older than that of chart 1.2.15",
				Source: "charts/spark-operator-chart/Chart.yaml@spark-operator-chart-1.3.1",
			},
		},
		Releases: []release.Release{{Version: version(1, 5, 0), Fixes: []string{"lock-identity-empty"}}},
	}
}
