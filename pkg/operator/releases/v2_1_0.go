package releases

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
)

// v2_1_0 is of 2024-12-11: pod templates, a limit to the executors in a status, and a container that writes nothing.
func v2_1_0() release.Release {
	return release.Release{
		Version: version(2, 1, 0), Compared: "v2.0.2",
		Set: func(f *release.Facts) {
			f.Chart.RootReadOnly = true // #2282
			f.Chart.FSGroup = 185       // {controller,webhook}.podSecurityContext in charts/spark-operator-chart/values.yaml@v2.1.0, #2265
			f.Chart.Spark = "3.5.3"
			f.CRDs.Required = []string{"metadata", "spec"}
			// What was stored without stays: an API server from Kubernetes 1.30 on (CRDValidationRatcheting) checks again what is changed, so
			// that the status and the metadata of such an application can be changed and its spec cannot. Seen with Kubernetes 1.36 and
			// the CRDs of 2.5.2 (TestUpgradeFacts in test/e2e).
			f.CRDs.MainFile = true           // config/crd/bases/@v2.1.0, #2255
			f.PodTemplates = true            // api/v1beta2/sparkapplication_types.go@v2.1.0, #2141
			f.CutsUIName = true              // pkg/util/sparkapplication.go@v2.1.0
			f.SubmissionRetryInterval = true // TimeUntilNextRetryDue in pkg/util/sparkapplication.go@v2.1.0, #2241
			f.Unprivileged = true            // Dockerfile@v2.0.2, which has setcap, and @v2.1.0
			f.TrackedExecutors = 1000        // cmd/operator/controller/start.go@v2.1.0, #2181
			f.DriverGrace = 10 * time.Second // #2315
		},
		Fields: release.Fields{Application: []string{"driver.template", "executor.template", "deps.archives"}},
		Fixes: []string{
			"executors-tracked-without-limit", "submission-never-retried", "local-dir-size-nil", "executor-security-context-needs-drivers",
		},
		Grants: []release.Grant{
			jobs("extensions", "ingresses", "create delete get list watch"), // #2246
			jobs("networking.k8s.io", "ingresses", "create delete get list watch"),
		},
		Notes: []release.Note{{
			When: release.Before,
			Do: "keep the volume tmp where values.yaml sets controller.volumes or controller.volumeMounts, and serving-certs " +
				"where it sets those of the webhook",
			Why:    "makes the root file system read-only; your own volume lists replace the ones spark-submit and the webhook write to",
			Source: "controller.volumes, webhook.volumes and securityContext in charts/spark-operator-chart/values.yaml@v2.1.0, #2282",
		}},
	}
}
