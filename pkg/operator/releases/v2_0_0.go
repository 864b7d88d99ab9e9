package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	mutator  = "internal/webhook/sparkpod_defaulter.go@v2.5.2"
	requeues = "reconcileFailedSubmissionSparkApplication in internal/controller/sparkapplication/controller.go@v2.0.2 and @v2.1.0, #2241"
)

// v2_0_0 is of 2024-09-23: rewritten on controller-runtime, with a Deployment each for controller and webhook. Chart, application
// and tag have one number from here on (VERSION@v2.0.0).
func v2_0_0() release.Release {
	return release.Release{
		Version: version(2, 0, 0), Compared: "spark-operator-chart-1.4.6", Rewrite: true,
		Set: func(f *release.Facts) {
			f.Chart = release.Chart{
				JobNamespaces: []string{"default"}, Replicas: 1, WebhookReplicas: 1, LeaderElection: true, MetricsPort: 8080,
				Repository: "docker.io/kubeflow/spark-operator",
				Webhook:    true, FailurePolicy: "Fail", WebhookPort: 9443, ServicePort: 9443, WebhookTimeout: 10, SideEffects: "NoneOnDryRun",
				// Images of Spark 3.5 run on Java 11 unless their tag says otherwise (library/spark of docker-library/official-images).
				Spark: "3.5.2", Java: 11,
			}
			f.CRDs.Required = nil
			// A field without omitempty, which is no string in the CRD (api/v1beta2/sparkapplication_types.go@v2.0.0 to @v2.5.2).
			f.SendsNullMainFile = true
			f.Certificate = release.ReadAtStart
			f.Schedules = release.Schedules{NeedsPolicy: true, Sticky: true, KeepsDue: true}
		},
		// Fields that 2.0.0 brings; batchSchedulerOptions.priorityClassName no longer gets to pods. Both lines give that one to the group
		// of Volcano, if Volcano is asked for (addPriorityClassName in pkg/webhook/patch.go@v1beta2-1.6.2-3.5.0, whatever batchScheduler
		// says, and in internal/webhook/sparkpod_defaulter.go@v2.0.0; #2146).
		Fields:        release.Fields{Application: []string{"driver.priorityClassName", "executor.priorityClassName"}},
		Mutates:       []release.Mutation{{Field: snapshot.PriorityClassName, Source: "#2146, " + mutator}},
		MutatesNoMore: []snapshot.Field{snapshot.BatchPriorityClass},
		Flaws: []release.Flaw{
			{
				ID: "executor-env-needs-driver-env", Field: snapshot.Env, Role: "executor", NeedsDriver: true,
				Source: "#2586, internal/webhook/sparkpod_defaulter.go@v2.2.1",
			},
			{
				ID: "executor-security-context-needs-drivers", Field: snapshot.SecurityContext, Role: "executor", NeedsDriver: true,
				Source: "internal/webhook/sparkpod_defaulter.go@v2.0.2",
			},
		},
		Defects: defects2_0_0(),
		Fixes:   []string{"certificate-per-replica"},
		Grants:  grants2_0_0(),
		Needs:   release.Needs{Controller: controllerNeeds2_0_0(), Webhook: webhookNeeds2_0_0()},
		Notes:   notes2_0_0(),
		Fatal: &release.Fatal{
			Next: "2.1.1",
			Why: "does not grant its controller list and watch of ConfigMaps, nor anything on PersistentVolumeClaims, and never " +
				"retries a failed submission",
			Source: "#2185, #2187; " + requeues,
		},
	}
}

func notes2_0_0() []release.Note {
	return []release.Note{
		{
			When: release.Before, Do: "rewrite values.yaml for the 2.x chart",
			Why:     "moved all values under controller, webhook, spark and prometheus; Helm silently ignores names that the chart does not know",
			Command: "helm show values spark-operator/spark-operator --version {chart} > values-of-the-chart.yaml",
			Source:  "charts/spark-operator-chart/values.yaml@spark-operator-chart-1.4.6 and @v2.0.0",
		},
		{
			When: release.Before, Do: "allow the API server to reach the webhook on port 9443, or disable it with webhook.enable=false",
			Why: "enables the webhook by default, on port 9443, with failurePolicy Fail: behind a firewall, no " +
				"application can be created",
			Source: "webhook in charts/spark-operator-chart/values.yaml@v2.0.0, #2331",
		},
		{
			When: release.During, Do: "stop the controller of 1.x before that of 2.x starts",
			Why:     "does not wait for the old controller, which uses no lease or one of another name: both would submit",
			Command: "kubectl scale deployment -n {namespace} {deployments} --replicas 0",
			Source:  "leader election in main.go@v1beta2-1.6.2-3.5.0 and charts/spark-operator-chart/templates/controller/deployment.yaml@v2.0.0",
		},
		{
			When: release.After, Do: "scrape port 8080, and rename the metrics of dashboards and alerts",
			Why: "serves metrics on port 8080 instead of 10254, and they begin with spark_application_ instead of spark_app_",
			Source: "pkg/controller/sparkapplication/sparkapp_metrics.go@v1beta2-1.6.2-3.5.0, pkg/common/metrics.go and " +
				"charts/spark-operator-chart/values.yaml@v2.0.0",
		},
	}
}
