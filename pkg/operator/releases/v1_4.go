package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v1_4 is of charts 1.4.0 to 1.4.6, the last of 1.x, which differ in nothing that is here (charts/spark-operator-chart/Chart.yaml of
// each). Leader election comes with a second replica.
func v1_4() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Application: "v1beta2-1.6.0-3.5.0", Charts: patches(1, 4, 0, 1)},
			{Application: "v1beta2-1.6.1-3.5.0", Charts: patches(1, 4, 2, 3, 4)},
			{Application: "v1beta2-1.6.2-3.5.0", Charts: patches(1, 4, 5, 6)},
		},
		Releases: []release.Release{{
			Version: version(1, 6, 0),
			Set: func(f *release.Facts) {
				f.Chart = release.Chart{
					JobNamespaces: []string{""}, Replicas: 1, MetricsPort: 10254, Repository: "docker.io/kubeflow/spark-operator",
					FailurePolicy: "Ignore", WebhookPort: 8080, ServicePort: 443, WebhookTimeout: 30, SideEffects: "NoneOnDryRun",
					Spark: "3.5.0", Java: 11,
					Source: "charts/spark-operator-chart/values.yaml, pkg/webhook/webhook.go, Dockerfile@spark-operator-chart-1.4.6",
				}
				f.Certificate = release.OnePerReplica
			},
			Defects: []release.Defect{{
				ID: "certificate-per-replica", Check: "SD1005", Harm: release.Stops,
				Does: "gives each replica of its webhook a certificate of its own", Source: "pkg/webhook/certs.go@spark-operator-chart-1.4.6, #2082",
			}},
		}},
	}
}
