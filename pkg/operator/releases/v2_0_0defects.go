package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// defects2_0_0 came with the rewrite. Each was read in the sources of a release that has it and of one that has not.
func defects2_0_0() []release.Defect {
	return []release.Defect{
		{
			ID: "pull-options-dropped", Harm: release.Spoils,
			Does:        "drops imagePullPolicy and imagePullSecrets unless both are set",
			Application: asksPullOptionAlone,
			Source:      "imageOption in internal/controller/sparkapplication/submission.go@v2.0.1 and @v2.0.2, #2221, #2222",
		},
		{
			ID: "submission-never-retried", Harm: release.Stops,
			Does:        "never retries a failed submission",
			Application: retriesSubmission, Spared: notWaitingForRetry, Source: requeues,
		},
		{
			ID: "local-dir-size-nil", Harm: release.Stops,
			Does:        "passes sizeLimit=<nil> to Spark for a local directory without sizeLimit",
			Application: asks(spark.FieldOpenLocalDir), Spared: ran,
			Source: "internal/controller/sparkapplication/submission.go@v2.0.2 and @v2.1.0, #2305, #2316",
		},
		{
			ID: "certificate-not-checked", Check: "SD1004", Harm: release.Stops,
			Does: "takes whatever certificate its Secret holds", Source: "pkg/certificate/certificate.go@v2.1.1, #2482, #2489",
		},
		{
			ID: "executor-env-needs-driver-env", Check: "SD4002", Harm: release.Spoils,
			Does: "drops executor.env where driver.env is empty", Source: "internal/webhook/sparkpod_defaulter.go@v2.2.1, #2586",
		},
		{
			ID: "gang-of-unknown-size", Harm: release.Stops,
			Does: "panics when it counts the executors of an application with a batch scheduler, dynamic allocation and " +
				"no executor.instances",
			Installation: schedulesBatches, Application: asks(spark.FieldGangOfUnknown), Spared: ran,
			Source: "GetExecutorRequestResource in pkg/util/sparkapplication.go@v2.4.0 and @v2.5.0, #2834",
		},
		{
			ID: "executor-metrics-lost", Harm: release.Spoils,
			Does:         "counts no executors, because a name in --metrics-labels has a dash",
			Installation: labelsWithDash,
			Source:       "NewSparkExecutorMetrics in internal/metrics/sparkpod_metrics.go@v2.0.0, @v2.5.0 and @v2.5.1, #2931",
		},
		{
			ID: "local-dir-medium-dropped", Harm: release.Spoils,
			Does:        "puts local directories on disk although they set another medium",
			Application: asks(spark.FieldMemoryLocalDir), Source: "internal/controller/sparkapplication/submission.go@v2.5.0 and @v2.5.1, #2925",
		},
		{
			ID: "dotted-configmap-refused", Harm: release.Stops,
			Does:        "names volumes after ConfigMaps, and the API server allows no dot in the name of a volume",
			Application: mountsDottedConfigMap, Spared: hasWhatItMounts,
			Source: "addGeneralConfigMaps in internal/webhook/sparkpod_defaulter.go@v2.0.0 and @v2.5.2, #3099",
		},
		// The binaries of 2.x declare the flags that time leader election and did not pass them on.
		{
			ID: "election-timing-ignored", Harm: release.Spoils,
			Does:         "ignores the timing of its leader election, which stays at 15 s, 10 s and 2 s",
			Installation: timesElection, Source: "cmd/operator/controller/start.go@v2.3.0 and @v2.4.0, #2640",
		},
		{
			ID: "webhook-election-timing-ignored", Harm: release.Spoils,
			Does:         "ignores the timing of its webhook's leader election, which stays at 15 s, 10 s and 2 s",
			Installation: timesWebhookElection, Source: "cmd/operator/webhook/start.go@v2.0.0 and @v2.5.2, #2640, #3068",
		},
	}
}
