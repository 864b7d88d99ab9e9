package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const legacyMutator = "pkg/webhook/patch.go@spark-operator-chart-1.4.6"

// v1_0 is of charts 1.0.0 to 1.0.10 (charts/spark-operator-chart/Chart.yaml of tags spark-operator-1.0.0 to spark-operator-chart-1.0.10),
// and of the applications that are older than the operator's own charts. What of 1.x is not known to differ within the line is here:
// grants, needs, and what the webhook mutates.
func v1_0() release.Line {
	return release.Line{
		Charts: []release.Installs{
			{Application: "v1beta2-1.0.0-2.4.4"},
			{Application: "v1beta2-1.0.1-2.4.4"},
			{Application: "v1beta2-1.1.0-2.4.5"},
			{Application: "v1beta2-1.1.1-2.4.5"},
			{Application: "v1beta2-1.1.2-2.4.5"},
			{Application: "v1beta2-1.2.0-3.0.0", Charts: patches(1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)},
			{Application: "v1beta2-1.2.1-3.0.0"},
			{Application: "v1beta2-1.2.2-3.0.0"},
		},
		Releases: []release.Release{{
			Version: version(1, 0, 0),
			Set: func(f *release.Facts) {
				f.CRDs.Required = []string{"metadata", "spec"}
				f.Chart.Repository = "gcr.io/spark-operator/spark-operator" // charts/spark-operator-chart/values.yaml@spark-operator-chart-1.0.2
				f.Certificate = release.MountedFiles
			},
			Mutates: legacyMutations(),
			Flaws: []release.Flaw{{
				ID: "executor-lifecycle-by-name", Field: snapshot.Lifecycle, Role: "executor", OnlyContainer: "executor",
				Source: legacyMutator + ", internal/webhook/sparkpod_defaulter.go@v2.1.0",
			}},
			Defects: []release.Defect{{
				ID: "executors-tracked-without-limit", Check: "SD3002", Harm: release.Stops,
				Does: "writes every executor that an application ever had into its status", Source: "#2181",
			}},
			Grants: legacyGrants(),
			Needs:  release.Needs{Controller: legacyNeeds()},
		}},
	}
}

// legacyMutations were read in the mutators of spark-operator-chart-1.1.0 to v2.5.2.
func legacyMutations() []release.Mutation {
	const both = legacyMutator + ", " + mutator
	return []release.Mutation{
		{Field: snapshot.Env, OnContainer: true, Source: both},
		{Field: snapshot.EnvFrom, OnContainer: true, Source: both},
		{Field: snapshot.VolumeMounts, OnContainer: true, Source: both},
		{Field: snapshot.RoleConfigMaps, OnContainer: true, Source: both},
		{Field: snapshot.SparkConfigMap, OnContainer: true, Source: both},
		{Field: snapshot.HadoopConfigMap, OnContainer: true, Source: both},
		{Field: snapshot.Monitoring, OnContainer: true, Source: both},
		{Field: snapshot.Tolerations, Source: both},
		{Field: snapshot.Affinity, Source: both},
		{Field: snapshot.NodeSelector, Source: both},
		{Field: snapshot.PodSecurityContext, Source: both},
		{Field: snapshot.SecurityContext, OnContainer: true, Source: both},
		{Field: snapshot.Sidecars, Source: both},
		{Field: snapshot.InitContainers, Source: both},
		{Field: snapshot.HostNetwork, Source: both},
		{Field: snapshot.DNSConfig, Source: both},
		{Field: snapshot.HostAliases, Source: both},
		{Field: snapshot.TerminationGracePeriod, Source: both},
		{Field: snapshot.Lifecycle, OnContainer: true, Source: both},
		{Field: snapshot.Ports, OnContainer: true, Source: both},
		{Field: snapshot.GPU, OnContainer: true, Source: both},
		{Field: snapshot.SchedulerName, Source: both},
		{Field: snapshot.BatchScheduler, Source: both},
		{Field: snapshot.BatchPriorityClass, Source: legacyMutator},
	}
}

// legacyGrants are those of charts 1.0.0 to 1.1.27 (charts/spark-operator-chart/templates/rbac.yaml@spark-operator-1.0.0 to
// @spark-operator-chart-1.1.27, spark-rbac.yaml@spark-operator-chart-1.4.6); the webhook adds Jobs, a second replica leases.
func legacyGrants() []release.Grant {
	var out []release.Grant
	operator := func(group, verbs string, resources ...string) {
		for _, resource := range resources {
			out = append(out, everywhere(group, resource, verbs))
		}
	}
	operator("", "*", "pods")
	operator("", "create delete get update", "services", "configmaps", "secrets")
	operator("extensions", "create delete get", "ingresses")
	operator("networking.k8s.io", "create delete get", "ingresses")
	operator("", "get", "nodes")
	operator("", eventVerbs, "events")
	operator("", readVerbs, "resourcequotas")
	operator("apiextensions.k8s.io", "create delete get update", "customresourcedefinitions")
	operator("admissionregistration.k8s.io", "create delete get update", "mutatingwebhookconfigurations", "validatingwebhookconfigurations")
	operator(snapshot.SparkGroup, "*", "sparkapplications", "sparkapplications/status", "scheduledsparkapplications",
		"scheduledsparkapplications/status")
	for _, resource := range []string{"pods", "configmaps", "persistentvolumeclaims", "services"} {
		out = append(out, grant(release.ToDrivers, release.InJobNamespaces, "", resource, "", "*"))
	}
	return out
}

// everywhere is a grant to the one process of 1.x.
func everywhere(group, resource, verbs string) release.Grant {
	return grant(release.ToController, release.ClusterWide, group, resource, "", verbs)
}

func legacyNeeds() []release.Permission {
	const (
		source = "main.go, pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0"
		breaks = "its informers never sync and it reconciles nothing"
	)
	cached, create := []string{"list", "watch"}, []string{"create"}
	return []release.Permission{
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkapplications", Breaks: breaks, Source: source},
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "scheduledsparkapplications", Breaks: breaks, Source: source},
		{Verbs: cached, Resource: "pods", Breaks: breaks, Source: source},
		{
			Verbs: []string{"update"}, Group: snapshot.SparkGroup, Resource: "sparkapplications", Subresource: "status", Place: release.WhereJobsRun,
			Breaks: noState, Source: source,
		},
		{Verbs: create, Resource: "pods", Place: release.WhereJobsRun, Breaks: noSubmission, Source: source},
		{Verbs: create, Resource: "services", Place: release.WhereJobsRun, Breaks: noSubmission, Source: source},
		{Verbs: create, Resource: "configmaps", Place: release.WhereJobsRun, Breaks: noSubmission, Source: source},
	}
}
