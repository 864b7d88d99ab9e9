package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v2_3_0 is of 2025-07-22: SparkConnect, Spark 4, and a hook that upgrades CRDs.
func v2_3_0() release.Release {
	const connect, reconciler = "sparkconnects", "internal/controller/sparkconnect/reconciler.go@v2.3.0, "
	cached := []string{"list", "watch"}
	return release.Release{
		Version: version(2, 3, 0), Compared: "v2.2.1", Hop: true,
		Set: func(f *release.Facts) {
			f.Chart.UpgradesCRDs = true               // #2371
			f.Chart.Spark, f.Chart.Java = "4.0.0", 17 // Dockerfile@v2.3.0, #2564; Spark 4.0 needs Java 17 (#2617)
			f.CRDs.Connect = true                     // cmd/operator/controller/start.go@v2.3.0
		},
		Defects: []release.Defect{
			{
				ID: "connect-ipv6-refused", Harm: release.Stops,
				Does:    "gives SparkConnect servers an IPv6 address without brackets as spark.driver.host, which Spark rejects",
				Connect: servesIPv6, Source: "driverConfOption in internal/controller/sparkconnect/options.go@v2.3.0 and @v2.4.0, #2679, #2703",
			},
			{
				ID: "connect-finalizers-not-granted", Harm: release.Stops, Unsure: true,
				Does: "may not set finalizers of SparkConnects, so that an API server with OwnerReferencesPermissionEnforcement, such " +
					"as OpenShift's, lets it create nothing for them",
				Connect: neverTakenUp, Source: "charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.3.0 and @v2.4.0, #2726, #2727",
			},
			{
				ID: "connect-needs-executor-template", Harm: release.Stops,
				Does:    "panics over SparkConnects without spec.executor.template, and never creates their servers",
				Connect: withoutTemplate, Source: "imageOption in internal/controller/sparkconnect/options.go@v2.4.0 and @v2.5.0, #2807, #2814",
			},
			{
				ID: "connect-executor-memory-ignored", Harm: release.Spoils,
				Does:    "ignores spec.executor.memory of SparkConnects, whose executors then get Spark's default of 1g",
				Connect: setsExecutorMemory, Source: "executorConfOption in internal/controller/sparkconnect/options.go@v2.3.0 and @v2.4.0, #2656",
			},
		},
		Fixes:  []string{"executor-env-needs-driver-env", "ui-path-not-set"},
		Grants: []release.Grant{jobs(snapshot.SparkGroup, connect, all7), jobs(snapshot.SparkGroup, connect+"/status", patchVerbs)},
		Needs: release.Needs{Controller: []release.Permission{
			{Verbs: cached, Group: snapshot.SparkGroup, Resource: connect, Breaks: informerStops, Source: reconciler + "SetupWithManager"},
			{Verbs: cached, Resource: "configmaps", Breaks: informerStops, Source: reconciler + "Owns"},
			{Verbs: cached, Resource: "services", Breaks: informerStops, Source: reconciler + "Owns"},
		}},
		NeedsNoMore: []release.Permission{{Verbs: cached, Resource: "configmaps", When: release.Monitoring}}, // it has an informer from its start
		Notes: []release.Note{{
			ID: "hook-fails-at-fields-of-helm", When: release.Before, Do: "keep hook.upgradeCrd off and apply the CRDs yourself",
			Why:    "adds a CRD hook that until 2.5.0 fails on fields owned by Helm, and the upgrade fails with it",
			Source: "charts/spark-operator-chart/templates/hook/job.yaml@v2.3.0 and @v2.5.0, #2663, #2785",
		}},
	}
}
