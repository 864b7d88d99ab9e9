package operator

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// Defects lists what is known to be wrong. Each was read in the sources of a release that has it and of one that has not.
func Defects() []Defect {
	return slices.Concat(olderDefects(), earlyDefects(), laterDefects(), electionDefects(), connectDefects())
}

// olderDefects came with 1.x.
func olderDefects() []Defect {
	return []Defect{
		{
			ID: "certificate-per-replica", Since: Version{1, 6, 0}, Until: Version{2, 0, 0}, Check: "SD1005", Harm: Stops,
			Does: "gives each replica of its webhook a certificate of its own", Source: "pkg/webhook/certs.go@spark-operator-chart-1.4.6, #2082",
		},
		{
			ID: "lock-identity-empty", Since: Version{1, 4, 3}, Until: Version{1, 5, 0}, Fix: "chart 1.3.1", Harm: Stops,
			Does:         "does not start with leader election, because its chart does not set POD_NAME",
			Installation: electsWithoutName, Source: "main.go@spark-operator-chart-1.2.7 and @spark-operator-chart-1.2.15, #1987, #2039",
		},
		{
			ID: "executors-tracked-without-limit", Until: Version{2, 1, 0}, Check: "SD3002", Harm: Stops,
			Does: "writes every executor that an application ever had into its status", Source: "#2181",
		},
	}
}

// earlyDefects came with 2.0 and were gone with 2.2.
func earlyDefects() []Defect {
	return []Defect{
		{
			ID: "pull-options-dropped", Since: Version{2, 0, 0}, Until: Version{2, 0, 2}, Harm: Spoils,
			Does:        "drops imagePullPolicy and imagePullSecrets unless both are set",
			Application: asksPullOptionAlone, Source: "imageOption in internal/controller/sparkapplication/submission.go@v2.0.1 and @v2.0.2, #2221, #2222",
		},
		{
			ID: "packages-not-downloadable", Since: Version{2, 0, 1}, Until: Version{2, 0, 2}, Harm: Stops,
			Does:        "cannot write the home directory into which spark-submit downloads deps.packages",
			Application: asks(spark.AskPackages), Spared: ran, Source: "Dockerfile@v2.0.1 and @v2.0.2, #2171, #2223",
		},
		{
			ID: "submission-never-retried", Since: Version{2, 0, 0}, Until: Version{2, 1, 0}, Harm: Stops,
			Does:        "does not come back to a failed submission that it should try again",
			Application: retriesSubmission, Spared: notWaitingForRetry,
			Source: "reconcileFailedSubmissionSparkApplication in internal/controller/sparkapplication/controller.go@v2.0.2 and @v2.1.0, #2241",
		},
		{
			ID: "local-dir-size-nil", Since: Version{2, 0, 0}, Until: Version{2, 1, 0}, Harm: Stops,
			Does:        "passes sizeLimit=<nil> to Spark for a local directory without sizeLimit",
			Application: asks(spark.AskOpenLocalDir), Spared: ran,
			Source: "internal/controller/sparkapplication/submission.go@v2.0.2 and @v2.1.0, #2305, #2316",
		},
		{
			ID: "certificate-not-checked", Since: Version{2, 0, 0}, Until: Version{2, 2, 0}, Check: "SD1004", Harm: Stops,
			Does: "takes whatever certificate its Secret holds", Source: "pkg/certificate/certificate.go@v2.1.1, #2482, #2489",
		},
		{
			ID: "executor-lifecycle-refused", Since: Version{2, 0, 2}, Until: Version{2, 1, 1}, Harm: Stops,
			Does:        "refuses the executors of Spark 3 applications with executor.lifecycle",
			Application: asksLifecycle, Spared: hasExecutors,
			Source: "addPodLifeCycleConfig in internal/webhook/sparkpod_defaulter.go@v2.0.2, @v2.1.0 and @v2.1.1, #2457, #2458",
		},
	}
}

// laterDefects are in 2.2 and after it.
func laterDefects() []Defect {
	return []Defect{
		{
			ID: "executor-env-needs-driver-env", Since: Version{2, 0, 0}, Until: Version{2, 3, 0}, Check: "SD4002", Harm: Spoils,
			Does: "drops executor.env where driver.env is empty", Source: "internal/webhook/sparkpod_defaulter.go@v2.2.1, #2586",
		},
		{
			ID: "gang-of-unknown-size", Since: Version{2, 0, 0}, Until: Version{2, 5, 0}, Harm: Stops,
			Does:         "panics when it reckons up the executors of an application with a batch scheduler, dynamic allocation and no executor.instances",
			Installation: schedulesBatches, Application: asks(spark.AskGangOfUnknown), Spared: ran,
			Source: "GetExecutorRequestResource in pkg/util/sparkapplication.go@v2.4.0 and @v2.5.0, #2834",
		},
		{
			ID: "executor-metrics-lost", Since: Version{2, 0, 0}, Until: Version{2, 5, 1}, Harm: Spoils,
			Does:         "counts no executors, because a name in --metrics-labels has a dash",
			Installation: labelsWithDash, Source: "NewSparkExecutorMetrics in internal/metrics/sparkpod_metrics.go@v2.0.0, @v2.5.0 and @v2.5.1, #2931",
		},
		{
			ID: "local-dir-medium-dropped", Since: Version{2, 0, 0}, Until: Version{2, 5, 1}, Harm: Spoils,
			Does:        "puts local directories on disk that ask for another medium",
			Application: asks(spark.AskMemoryLocalDir), Source: "internal/controller/sparkapplication/submission.go@v2.5.0 and @v2.5.1, #2925",
		},
		{
			ID: "dotted-configmap-refused", Since: Version{2, 0, 0}, Harm: Stops,
			Does:        "names volumes after ConfigMaps, and the API server takes no dot in the name of a volume",
			Application: mountsDottedConfigMap, Spared: hasWhatItMounts,
			Source: "addGeneralConfigMaps in internal/webhook/sparkpod_defaulter.go@v2.0.0 and @v2.5.2, #3099",
		},
		{
			ID: "executors-have-two-owners", Since: Version{2, 4, 0}, Check: "SD4003", Harm: Spoils,
			Does: "leaves executors to the application when their driver goes", Source: "internal/controller/sparkapplication/submission.go@v2.4.0, #2961",
		},
		{
			ID: "selected-namespaces-unmutated", Since: Version{2, 5, 0}, Check: "SD1007", Harm: Stops,
			Does: "does not tell its webhook of --namespace-selector", Source: "cmd/operator/webhook/start.go@v2.5.2, #2913",
		},
	}
}
