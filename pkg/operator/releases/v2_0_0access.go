package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// verbs that occur together
const (
	all7       = "create delete get list patch update watch"
	all8       = "create delete deletecollection get list patch update watch"
	readVerbs  = "get list watch"
	patchVerbs = "get patch update"
	eventVerbs = "create patch update"
)

const (
	informerStops = "its informers never sync, so it exits and restarts"
	noSubmission  = "spark-submit, which runs with this account, cannot start a driver"
	noState       = "no application gets a new state"
	noLeader      = "no replica becomes the leader"
	setup         = "internal/controller/sparkapplication/controller.go@v2.0.0 to @v2.5.2, SetupWithManager"

	leases    = "coordination.k8s.io"
	admission = "admissionregistration.k8s.io"
)

// jobs is a grant to the controller, hooks one to the webhook, in job namespaces.
func jobs(group, resource, verbs string) release.Grant {
	return release.Grant{To: release.ToController, Place: release.InJobNamespaces, Group: group, Resource: resource, Verbs: verbs}
}

func hooks(group, resource, verbs string) release.Grant {
	return release.Grant{To: release.ToWebhook, Place: release.InJobNamespaces, Group: group, Resource: resource, Verbs: verbs}
}

// grant is one to an account elsewhere; with a suffix, on the one object of that name.
func grant(to release.Account, place release.Place, group, resource, suffix, verbs string) release.Grant {
	return release.Grant{To: to, Place: place, Group: group, Resource: resource, Suffix: suffix, Verbs: verbs}
}

// grants2_0_0 are what the charts of 2.x grant by default (charts/spark-operator-chart/templates/{controller,webhook}/
// {_helpers.tpl,rbac.yaml} and spark/rbac.yaml@v2.0.0). Batch schedulers add the resources of theirs.
func grants2_0_0() []release.Grant {
	const controller, webhook = release.ToController, release.ToWebhook
	const own, everywhere = release.InReleaseNamespace, release.ClusterWide
	out := []release.Grant{
		jobs("", "pods", all8), jobs("", "services", all7), jobs("", "configmaps", "create delete get patch update"),
		grant(controller, everywhere, "", "events", "", eventVerbs),
		grant(controller, everywhere, "", "nodes", "", "get"),
		grant(controller, everywhere, "apiextensions.k8s.io", "customresourcedefinitions", "", "get"),
		grant(controller, own, leases, "leases", "", "create"),
		grant(controller, own, leases, "leases", "-controller-lock", "get update"),
		grant(webhook, own, leases, "leases", "", "create"),
		grant(webhook, own, leases, "leases", "-webhook-lock", "get update"),
		grant(webhook, own, "", "secrets", "", "create"),
		grant(webhook, own, "", "secrets", "-webhook-certs", "get update"),
		grant(webhook, everywhere, "", "events", "", eventVerbs),
		hooks("", "pods", readVerbs), hooks("", "resourcequotas", readVerbs),
	}
	for _, group := range []string{"extensions", "networking.k8s.io"} {
		out = append(out, jobs(group, "ingresses", "create delete get"))
	}
	for _, resource := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		out = append(out, grant(webhook, everywhere, admission, resource, "", "list watch"))
		out = append(out, grant(webhook, everywhere, admission, resource, "-webhook", "get update"))
	}
	for _, resource := range []string{"pods", "services", "configmaps", "persistentvolumeclaims"} {
		out = append(out, grant(release.ToDrivers, release.InJobNamespaces, "", resource, "", all8))
	}
	const group = snapshot.SparkGroup
	for _, kind := range []string{"sparkapplications", "scheduledsparkapplications"} {
		out = append(out, jobs(group, kind, all7), jobs(group, kind+"/status", patchVerbs), jobs(group, kind+"/finalizers", patchVerbs),
			hooks(group, kind, all7), hooks(group, kind+"/status", all7), hooks(group, kind+"/finalizers", all7))
	}
	return out
}

// controllerNeeds2_0_0 were read in the code of v2.0.0 to v2.5.2; what the charts grant beyond that is left out, and so is what only
// OwnerReferencesPermissionEnforcement asks for.
func controllerNeeds2_0_0() []release.Permission {
	const group, status = snapshot.SparkGroup, "internal/controller/sparkapplication/controller.go@v2.5.2, updateSparkApplicationStatus; #2400"
	cached, create := []string{"list", "watch"}, []string{"create"}
	return []release.Permission{
		{Verbs: cached, Resource: "pods", Breaks: informerStops, Source: setup},
		{Verbs: cached, Group: group, Resource: "sparkapplications", Breaks: informerStops, Source: setup},
		{
			Verbs: cached, Group: group, Resource: "scheduledsparkapplications",
			Breaks: informerStops, Source: "internal/controller/scheduledsparkapplication/controller.go@v2.5.2, SetupWithManager",
		},
		{
			Verbs: []string{"update"}, Group: group, Resource: "sparkapplications", Subresource: "status", Place: release.WhereJobsRun,
			Breaks: noState, Source: status,
		},
		{
			Verbs: create, Resource: "pods", Place: release.WhereJobsRun,
			Breaks: noSubmission, Source: "internal/controller/sparkapplication/submission.go@v2.5.2, runSparkSubmit",
		},
		{Verbs: create, Resource: "services", Place: release.WhereJobsRun, Breaks: noSubmission, Source: "DriverServiceFeatureStep@spark-3.5.5"},
		{
			Verbs: create, Resource: "configmaps", Place: release.WhereJobsRun,
			Breaks: noSubmission, Source: "resource-managers/kubernetes Client.scala@spark-3.5.5",
		},
		{
			Verbs: []string{"delete"}, Resource: "pods", Place: release.WhereJobsRun, Degrades: true, Breaks: "no application is rerun",
			Source: "internal/controller/sparkapplication/controller.go@v2.5.2, deleteDriverPod",
		},
		{
			Verbs: []string{"get", "create", "update"}, Group: leases, Resource: "leases",
			Place: release.InLockNamespace, When: release.LeaderElection,
			Breaks: noLeader, Source: "cmd/operator/controller/start.go@v2.5.2; k8s.io/client-go tools/leaderelection/resourcelock",
		},
		{
			Verbs: create, Group: "networking.k8s.io", Resource: "ingresses", Place: release.WhereJobsRun, When: release.UIIngresses,
			Breaks: "applications with an ingress stay SUBMITTED", Source: "internal/controller/sparkapplication/driveringress.go@v2.5.2",
		},
		{
			Verbs: cached, Group: "networking.k8s.io", Resource: "ingresses", Place: release.WhenFirstRead, When: release.UIIngresses,
			Degrades: true,
			Breaks:   "its workers wait forever when an application is rerun",
			Source:   "internal/controller/sparkapplication/controller.go@v2.0.0, validateSparkResourceDeletion; #2246",
		},
		{
			Verbs: cached, Resource: "configmaps", Place: release.WhenFirstRead, When: release.Monitoring,
			Breaks: "its workers wait forever for the first application with spec.monitoring",
			Source: "internal/controller/sparkapplication/monitoring_config.go@v2.0.0; #2185",
		},
		// Granted from 2.0.1 to 2.5.0. That the account of 2.5.1 is refused it, and that of 2.5.0 is not, was seen with a
		// SubjectAccessReview and by creating a claim as it (TestUpgradeFacts in test/e2e); spark-submit itself was not run.
		{
			Verbs: create, Resource: "persistentvolumeclaims", Place: release.WhereJobsRun, When: release.DriverClaims,
			Breaks: "spark-submit, which runs with this account, cannot create the driver's claims",
			Source: "#1348, #2185; charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.5.1 (#2914)",
		},
	}
}

func webhookNeeds2_0_0() []release.Permission {
	const bundle, reconciler = "caBundle is not written", "internal/controller/mutatingwebhookconfiguration/controller.go@v2.5.2"
	cached, update := []string{"list", "watch"}, []string{"update"}
	of := func(resource string, verbs []string, breaks string) release.Permission {
		return release.Permission{
			Verbs: verbs, Group: admission, Resource: resource, Place: release.ClusterWide, When: release.OwnCertificates,
			Breaks: breaks, Source: reconciler,
		}
	}
	return []release.Permission{
		{
			Verbs: []string{"get"}, Resource: "secrets", Place: release.InSecretNamespace, Breaks: "it exits at start without its certificate",
			Source: "pkg/certificate/certificate.go@v2.0.0 to @v2.5.2, SyncSecret",
		},
		of("mutatingwebhookconfigurations", cached, informerStops), of("validatingwebhookconfigurations", cached, informerStops),
		of("mutatingwebhookconfigurations", update, bundle), of("validatingwebhookconfigurations", update, bundle),
		{
			Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkapplications", Breaks: "it finds no application and rejects every Spark pod",
			Source: "internal/webhook/sparkpod_defaulter.go@v2.5.2",
		},
		{
			Verbs: []string{"get", "create", "update"}, Group: leases, Resource: "leases",
			Place: release.InLockNamespace, When: release.LeaderElection,
			Breaks: noLeader + ", and caBundle is not written", Source: "cmd/operator/webhook/start.go@v2.5.2",
		},
	}
}
