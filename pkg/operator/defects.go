package operator

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Defects lists what is known to be wrong, in order of the release that brought it. Each was read in the sources of a release
// that has it and of one that has not. Not among them is what a fixed range of releases does on purpose.
func Defects() []Defect {
	return []Defect{
		{
			ID: "certificate-per-replica", Since: Version{1, 6, 0}, Until: Version{2, 0, 0}, Check: "SD1005", Harm: Stops,
			Does: "gives each replica of its webhook a certificate of its own", Source: "pkg/webhook/certs.go@spark-operator-chart-1.4.6, #2082",
		},
		{
			ID: "lock-identity-empty", Since: Version{1, 4, 3}, Until: Version{1, 5, 0}, Fix: "chart 1.3.2", Harm: Stops,
			Does:         "does not start with leader election, because its chart does not set POD_NAME",
			Installation: electsWithoutName, Source: "main.go@spark-operator-chart-1.2.7 and @spark-operator-chart-1.2.15, #1987, #2039",
		},
		{
			ID: "executors-tracked-without-limit", Until: Version{2, 1, 0}, Check: "SD3002", Harm: Stops,
			Does: "writes every executor that an application ever had into its status", Source: "#2181",
		},
		{
			ID: "pull-options-dropped", Since: Version{2, 0, 0}, Until: Version{2, 0, 2}, Harm: Spoils,
			Does:        "drops imagePullPolicy and imagePullSecrets unless both are set",
			Application: asksPullOptionAlone, Source: "imageOption in internal/controller/sparkapplication/submission.go@v2.0.1 and @v2.0.2, #2221, #2222",
		},
		{
			ID: "packages-not-downloadable", Since: Version{2, 0, 1}, Until: Version{2, 0, 2}, Harm: Stops,
			Does:        "cannot write the home directory into which spark-submit downloads deps.packages",
			Application: asks(snapshot.AskPackages), Spared: ran, Source: "Dockerfile@v2.0.1 and @v2.0.2, #2171, #2223",
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
			Application: asks(snapshot.AskOpenLocalDir), Spared: ran,
			Source: "internal/controller/sparkapplication/submission.go@v2.0.2 and @v2.1.0, #2305, #2316",
		},
		{
			ID: "certificate-not-checked", Since: Version{2, 0, 0}, Until: Version{2, 2, 0}, Check: "SD1004", Harm: Stops,
			Does: "takes whatever certificate its Secret holds", Source: "pkg/certificate/certificate.go@v2.1.1, #2482, #2489",
		},
		{
			ID: "executor-env-needs-driver-env", Since: Version{2, 0, 0}, Until: Version{2, 3, 0}, Check: "SD4002", Harm: Spoils,
			Does: "drops executor.env where driver.env is empty", Source: "internal/webhook/sparkpod_defaulter.go@v2.2.1, #2586",
		},
		{
			ID: "gang-of-unknown-size", Since: Version{2, 0, 0}, Until: Version{2, 5, 0}, Harm: Stops,
			Does:         "panics when it reckons up the executors of an application with a batch scheduler, dynamic allocation and no executor.instances",
			Installation: schedulesBatches, Application: asks(snapshot.AskGangOfUnknown), Spared: ran,
			Source: "GetExecutorRequestResource in pkg/util/sparkapplication.go@v2.4.0 and @v2.5.0, #2834",
		},
		{
			ID: "executor-metrics-lost", Since: Version{2, 0, 0}, Until: Version{2, 5, 1}, Harm: Spoils,
			Does:         "counts no executors, because a name in --metrics-labels has a dash",
			Installation: labelsWithDash, Source: "getMetricLabels in internal/metrics/sparkpod_metrics.go@v2.0.0, @v2.5.0 and @v2.5.1, #2931",
		},
		{
			ID: "local-dir-medium-dropped", Since: Version{2, 0, 0}, Until: Version{2, 5, 1}, Harm: Spoils,
			Does:        "puts local directories on disk that ask for another medium",
			Application: asks(snapshot.AskMemoryLocalDir), Source: "internal/controller/sparkapplication/submission.go@v2.5.0 and @v2.5.1, #2925",
		},
		{
			ID: "dotted-configmap-refused", Since: Version{2, 0, 0}, Harm: Stops,
			Does:        "names volumes after ConfigMaps, and the API server takes no dot in the name of a volume",
			Application: mountsDottedConfigMap, Spared: hasWhatItMounts,
			Source: "addGeneralConfigMaps in internal/webhook/sparkpod_defaulter.go@v2.0.0 and @v2.5.2, #3099",
		},
		{
			ID: "executor-lifecycle-refused", Since: Version{2, 0, 2}, Until: Version{2, 1, 1}, Harm: Stops,
			Does:        "refuses the executors of Spark 3 applications with executor.lifecycle",
			Application: asksLifecycle, Spared: hasExecutors,
			Source: "addPodLifeCycleConfig in internal/webhook/sparkpod_defaulter.go@v2.0.2, @v2.1.0 and @v2.1.1, #2457, #2458",
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

// electsWithoutName holds for an operator that is down with leader election on; one that runs was given the name otherwise.
func electsWithoutName(in *Installation) (Use, bool) {
	return Use{"-leader-election", "true"}, in.ControllerLease().Name != "" && in.Controller.Replicas > 0 && in.Controller.Ready == 0
}

// labelsWithDash: a dash is made an underscore where a metric is declared, and was not where it is counted.
func labelsWithDash(in *Installation) (Use, bool) {
	labels := unquoted(in.flag("metrics-labels"))
	return Use{"--metrics-labels", labels}, in.flag("enable-metrics") == "true" && strings.Contains(labels, "-")
}

func schedulesBatches(in *Installation) (Use, bool) {
	value := in.flag("enable-batch-scheduler")
	return Use{"--enable-batch-scheduler", value}, value == "true"
}

// asks is for what a record notes.
func asks(what string) func(*snapshot.SparkApplication) (Use, bool) {
	return func(app *snapshot.SparkApplication) (Use, bool) { return Use{Field: "spec." + what}, app.Asking(what) }
}

func asksPullOptionAlone(app *snapshot.SparkApplication) (Use, bool) {
	policy, secrets := app.Asking(snapshot.AskPullPolicy), app.Asking(snapshot.AskPullSecrets)
	if secrets {
		return Use{Field: "spec." + snapshot.AskPullSecrets}, !policy
	}
	return Use{Field: "spec." + snapshot.AskPullPolicy}, policy
}

func retriesSubmission(app *snapshot.SparkApplication) (Use, bool) {
	p := app.RestartPolicy
	yes := p.Type == "Always" || p.Type == "OnFailure" && p.OnSubmissionFailureRetries != nil && *p.OnSubmissionFailureRetries > 0
	return Use{"spec.restartPolicy.type", p.Type}, yes
}

// notWaitingForRetry holds for all but those whose next try is long due: it comes after as many intervals as there were
// tries (TimeUntilNextRetryDue, pkg/util/sparkapplication.go@v2.1.0).
func notWaitingForRetry(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool {
	if app.State != "SUBMISSION_FAILED" || app.LastSubmissionAttempt.IsZero() {
		return true
	}
	if p := app.RestartPolicy; p.Type == "OnFailure" && app.SubmissionAttempts > int(*p.OnSubmissionFailureRetries) {
		return true
	}
	interval := int64(5)
	if seconds := app.RestartPolicy.OnSubmissionFailureRetryInterval; seconds != nil {
		interval = *seconds
	}
	due := time.Duration(interval) * time.Second * time.Duration(max(1, app.SubmissionAttempts))
	return now.Sub(app.LastSubmissionAttempt) <= due+patience
}

// ran holds once a driver was there, or if there will be none any more.
func ran(app *snapshot.SparkApplication, _ time.Time, _ time.Duration) bool {
	return app.State != "" && app.State != "SUBMISSION_FAILED"
}

func mountsDottedConfigMap(app *snapshot.SparkApplication) (Use, bool) {
	for _, role := range []string{"driver", "executor"} {
		if name, found := dotted(app, role); found {
			return Use{"spec." + role + ".configMaps", name}, true
		}
	}
	return Use{}, false
}

func dotted(app *snapshot.SparkApplication, role string) (string, bool) {
	list := app.Wants(role)
	i := slices.IndexFunc(list, func(f snapshot.Feature) bool {
		return f.Field == snapshot.RoleConfigMaps && strings.Contains(f.Name, ".")
	})
	if i < 0 {
		return "", false
	}
	return list[i].Name, true
}

// hasWhatItMounts holds where the driver, or the executors if only these mount it, are there.
func hasWhatItMounts(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool {
	if _, driver := dotted(app, "driver"); driver {
		return ran(app, now, patience)
	}
	return hasExecutors(app, now, patience)
}

func asksLifecycle(app *snapshot.SparkApplication) (Use, bool) {
	asks := slices.ContainsFunc(app.Wants("executor"), func(f snapshot.Feature) bool { return f.Field == snapshot.Lifecycle })
	return Use{Field: "spec.executor.lifecycle"}, asks && !strings.HasPrefix(app.Driver.SparkVersion, "2.")
}

// hasExecutors holds unless an application runs long enough to have executors and has none.
func hasExecutors(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool {
	running := app.State == "RUNNING" && now.Sub(app.LastSubmissionAttempt) > patience
	return !running || app.Executors.Total() > 0
}
