package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v2_4_0 is of 2025-11-17: spec.suspend, names that are checked, owners that do not need the webhook.
func v2_4_0() release.Release {
	return release.Release{
		Version: version(2, 4, 0), Compared: "v2.3.0", Hop: true,
		Set: func(f *release.Facts) {
			// One that was there before keeps running, since its status is no affair of the webhook, and can be deleted; its labels, its spec
			// and its finalizers cannot be changed, and with a finalizer it stays after it was deleted (TestUpgradeFacts in test/e2e).
			f.Chart.HookCreates = true // charts/spark-operator-chart/templates/hook/cluster_role.yaml@v2.3.0 and @v2.4.0, #2604
			f.RefusesNames = true      // internal/webhook/sparkapplication_validator.go and scheduledsparkapplication_validator.go@v2.4.0, #2711
			f.OwnsDrivers = true       // internal/controller/sparkapplication/submission.go@v2.4.0, #2670
			f.KeepsQueueLabels = true  // driverConfOption and executorConfOption in the same file @v2.3.0, @v2.4.0 and @v2.5.2, #2714
			f.Suspends = true          // #2387
		},
		Fields: release.Fields{Application: []string{"suspend"}, Connect: []string{"server.service"}},
		Defects: []release.Defect{
			{
				ID: "executors-have-two-owners", Check: "SD4003", Harm: release.Spoils,
				Does:   "leaves executors to the application when their driver goes",
				Source: "internal/controller/sparkapplication/submission.go@v2.4.0, #2961",
			},
			// The templates that it writes come after sparkConf on the command line, and the last setting counts (buildSparkSubmitArgs in
			// the same file). Before, there was one only for applications with a template.
			{
				ID: "pod-template-file-overridden", Harm: release.Spoils,
				Does:        "overrides spark.kubernetes.*.podTemplateFile of sparkConf with a template of its own, and pods lose what is in the file",
				Application: namesPodTemplateFile,
				Source:      "driverPodTemplateOption in internal/controller/sparkapplication/submission.go@v2.3.0, @v2.4.0 and @v2.5.2, #2793",
			},
		},
		Fixes: []string{"election-timing-ignored", "connect-ipv6-refused", "connect-finalizers-not-granted", "connect-executor-memory-ignored"},
		Grants: []release.Grant{
			grant(release.ToController, release.InReleaseNamespace, "", "events", "", eventVerbs), // #2616
			jobs(snapshot.SparkGroup, "sparkconnects/finalizers", patchVerbs),                     // #2727
		},
		Notes: []release.Note{
			{
				Clients: true, When: release.After, Do: "look for executors whose driver is gone, now and after retries, suspensions and evictions",
				Why:     "makes the application a second owner of its executors: while it exists, Kubernetes keeps them when their driver is deleted",
				Command: "kubectl sparkdoctor scan --checks SD4003",
				Source:  "executorPodTemplateOption in internal/controller/sparkapplication/submission.go@v2.4.0 and @v2.5.2, #2961",
			},
			{
				Clients: true, When: release.Before, Do: "check how clients (Airflow, CI, scripts) name applications",
				Why:    "rejects names that are not DNS-1035 labels; clients outside the cluster cannot be checked from here",
				Source: "internal/webhook/sparkapplication_validator.go@v2.4.0, #2711",
			},
		},
	}
}
