package releases

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// electsWithoutName holds for an operator that is down with leader election on; one that runs was given the name otherwise.
func electsWithoutName(s *release.Setup) (release.Use, bool) {
	down := s.Controller != nil && s.Controller.Replicas > 0 && s.Controller.Ready == 0
	return release.Use{Field: "-leader-election", Value: "true"}, s.ControllerElects && down
}

// labelsWithDash: a dash is made an underscore where a metric is declared, and was not where it is counted.
func labelsWithDash(s *release.Setup) (release.Use, bool) {
	labels := unquoted(s.ControllerFlags["metrics-labels"])
	on := s.ControllerFlags["enable-metrics"] == "true"
	return release.Use{Field: "--metrics-labels", Value: labels}, on && strings.Contains(labels, "-")
}

func schedulesBatches(s *release.Setup) (release.Use, bool) {
	value := s.ControllerFlags["enable-batch-scheduler"]
	return release.Use{Field: "--enable-batch-scheduler", Value: value}, value == "true"
}

// asks is for what a record notes.
func asks(what string) func(*snapshot.SparkApplication) (release.Use, bool) {
	return func(app *snapshot.SparkApplication) (release.Use, bool) {
		return release.Use{Field: "spec." + what}, spark.Uses(app, what)
	}
}

func asksPullOptionAlone(app *snapshot.SparkApplication) (release.Use, bool) {
	policy, secrets := spark.Uses(app, spark.FieldPullPolicy), spark.Uses(app, spark.FieldPullSecrets)
	if secrets {
		return release.Use{Field: "spec." + spark.FieldPullSecrets}, !policy
	}
	return release.Use{Field: "spec." + spark.FieldPullPolicy}, policy
}

// namesPodTemplateFile is for a role without a template of its own: the operator always put that one in the place of the file. Spark
// reads such files since 3.0 (docs/running-on-kubernetes.md@v3.0.0).
func namesPodTemplateFile(app *snapshot.SparkApplication) (release.Use, bool) {
	for _, role := range []string{"driver", "executor"} {
		key := "spark.kubernetes." + role + ".podTemplateFile"
		set := slices.ContainsFunc(app.Settings, func(s snapshot.Setting) bool { return s.Key == key })
		if set && !spark.HasTemplate(app, role) && !strings.HasPrefix(app.SparkVersion, "2.") {
			return release.Use{Field: fmt.Sprintf("spec.sparkConf[%q]", key), Value: "set"}, true
		}
	}
	return release.Use{}, false
}

// putsUIBehindPath holds where the UI of an application has no host of its own: "example.com/{{$appName}}".
func putsUIBehindPath(s *release.Setup) (release.Use, bool) {
	format := unquoted(s.ControllerFlags["ingress-url-format"])
	_, host, schemed := strings.Cut(format, "://")
	if !schemed {
		host = format
	}
	_, path, _ := strings.Cut(host, "/")
	return release.Use{Field: "--ingress-url-format", Value: format}, path != "" && s.ControllerFlags["enable-ui-service"] != "false"
}

// leavesProxyBase holds for an application that does not say itself below which path its UI is. spark-submit gets what it says: 2.2.1
// overwrites it only after the submission, and other releases of 2.x before (internal/controller/sparkapplication/controller.go@v2.2.0
// and @v2.2.1), or not at all (configWebUI in web_ui.go there@v2.3.0).
func leavesProxyBase(app *snapshot.SparkApplication) (release.Use, bool) {
	const key = "spark.ui.proxyBase"
	set := slices.ContainsFunc(app.Settings, func(s snapshot.Setting) bool { return s.Key == key })
	return release.Use{Field: fmt.Sprintf("spec.sparkConf[%q]", key), Value: "not set"}, !set
}

func retriesSubmission(app *snapshot.SparkApplication) (release.Use, bool) {
	p := app.RestartPolicy
	retries := p.OnSubmissionFailureRetries != nil && *p.OnSubmissionFailureRetries > 0
	yes := p.Type == "Always" || p.Type == "OnFailure" && retries
	return release.Use{Field: "spec.restartPolicy.type", Value: p.Type}, yes
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
	switch app.State {
	case "", "SUBMISSION_FAILED":
		return false
	case "FAILED":
		return !app.NeverSubmitted()
	default:
		return true
	}
}

func mountsDottedConfigMap(app *snapshot.SparkApplication) (release.Use, bool) {
	for _, role := range []string{"driver", "executor"} {
		if name, found := dotted(app, role); found {
			return release.Use{Field: "spec." + role + ".configMaps", Value: name}, true
		}
	}
	return release.Use{}, false
}

func dotted(app *snapshot.SparkApplication, role string) (string, bool) {
	list := spark.WebhookNeeds(app, role)
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

func asksLifecycle(app *snapshot.SparkApplication) (release.Use, bool) {
	asks := slices.ContainsFunc(spark.WebhookNeeds(app, "executor"), func(f snapshot.Feature) bool { return f.Field == snapshot.Lifecycle })
	return release.Use{Field: "spec.executor.lifecycle"}, asks && !strings.HasPrefix(app.SparkVersion, "2.")
}

// hasExecutors holds unless an application runs long enough to have executors and has none.
func hasExecutors(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool {
	running := app.State == "RUNNING" && now.Sub(app.LastSubmissionAttempt) > patience
	return !running || app.Executors.Total() > 0
}

// The flags and what is in force where they are ignored (pkg/manager/manager.go of controller-runtime v0.20.4).
func electionTimings() map[string]time.Duration {
	return map[string]time.Duration{
		"leader-election-lease-duration": 15 * time.Second,
		"leader-election-renew-deadline": 10 * time.Second,
		"leader-election-retry-period":   2 * time.Second,
	}
}

func timesElection(s *release.Setup) (release.Use, bool) {
	use, set := timesOf(s.ControllerFlags)
	return use, set && s.ControllerElects
}

func timesWebhookElection(s *release.Setup) (release.Use, bool) {
	use, set := timesOf(s.WebhookFlags)
	use.Field += " of the webhook"
	return use, set && s.WebhookElects
}

// timesOf returns a flag that asks for another time than the one in force.
func timesOf(flags map[string]string) (release.Use, bool) {
	for _, name := range []string{"leader-election-lease-duration", "leader-election-renew-deadline", "leader-election-retry-period"} {
		value := unquoted(flags[name])
		if asked, err := time.ParseDuration(value); err == nil && asked != electionTimings()[name] {
			return release.Use{Field: "--" + name, Value: value}, true
		}
	}
	return release.Use{}, false
}

// servesIPv6 holds for a server that is not ready and has an IPv6 address.
func servesIPv6(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (release.Use, bool) {
	ip, err := netip.ParseAddr(c.ServerPodIP)
	waiting := slices.Contains([]string{"NotReady", "Failed"}, c.State) && now.Sub(c.Created) > patience
	return release.Use{Field: "status.server.podIp", Value: c.ServerPodIP}, err == nil && ip.Is6() && !ip.Is4In6() && waiting
}

// neverTakenUp holds for one without any status: the first thing that the operator creates is a ConfigMap, and without it the status
// is never written (Reconcile in internal/controller/sparkconnect/reconciler.go@v2.3.0).
func neverTakenUp(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (release.Use, bool) {
	never := c.State == "" && c.Started.IsZero()
	return release.Use{Field: "status.state", Value: "not set"}, never && !c.Created.IsZero() && now.Sub(c.Created) > patience
}

// withoutTemplate holds for one that was never taken up, and has what the controller panics over.
func withoutTemplate(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (release.Use, bool) {
	_, never := neverTakenUp(c, now, patience)
	return release.Use{Field: "spec.executor.template", Value: "not set"}, never && !c.ExecutorTemplate && c.Malformed == ""
}

// setsExecutorMemory holds for one whose executors should have more or less than they get (spark.executor.memory in
// docs/configuration.md@v4.0.0).
func setsExecutorMemory(c *snapshot.SparkConnect, _ time.Time, _ time.Duration) (release.Use, bool) {
	use := release.Use{Field: "spec.executor.memory", Value: c.ExecutorMemory}
	return use, !slices.Contains([]string{"", "1g", "1G", "1024m", "1024M"}, c.ExecutorMemory)
}

func unquoted(value string) string { return strings.Trim(value, `"'`) }
