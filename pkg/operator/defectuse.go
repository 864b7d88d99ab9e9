package operator

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

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
	return func(app *snapshot.SparkApplication) (Use, bool) {
		return Use{Field: "spec." + what}, spark.Asking(app, what)
	}
}

func asksPullOptionAlone(app *snapshot.SparkApplication) (Use, bool) {
	policy, secrets := spark.Asking(app, spark.AskPullPolicy), spark.Asking(app, spark.AskPullSecrets)
	if secrets {
		return Use{Field: "spec." + spark.AskPullSecrets}, !policy
	}
	return Use{Field: "spec." + spark.AskPullPolicy}, policy
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

// ran holds once a driver was there. FAILED alone does not tell: so ends an application whose submission is not tried again.
func ran(app *snapshot.SparkApplication, _ time.Time, _ time.Duration) bool {
	return app.State != "" && app.State != "SUBMISSION_FAILED" && (app.State != "FAILED" || !app.NeverSubmitted())
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
	list := spark.Wants(app, role)
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
	asks := slices.ContainsFunc(spark.Wants(app, "executor"), func(f snapshot.Feature) bool { return f.Field == snapshot.Lifecycle })
	return Use{Field: "spec.executor.lifecycle"}, asks && !strings.HasPrefix(app.SparkVersion, "2.")
}

// hasExecutors holds unless an application runs long enough to have executors and has none.
func hasExecutors(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool {
	running := app.State == "RUNNING" && now.Sub(app.LastSubmissionAttempt) > patience
	return !running || app.Executors.Total() > 0
}
