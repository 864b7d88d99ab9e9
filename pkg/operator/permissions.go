package operator

import (
	"cmp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Permission is something that a release's process does with the API server, so that its service account must be allowed
// to.
type Permission struct {
	Verbs       []string
	Group       string
	Resource    string
	Subresource string
	Name        string // of the one object that is concerned
	Place       Place
	Since       Version // first release that does it; zero: every one of its line
	Until       Version // first release that does not do it any more; zero: none
	When        Feature // only where this is used
	Breaks      string  // what happens without it, in words
	Degrades    bool    // it goes on without
	Source      string
}

// Place says where a permission is needed.
type Place int

const (
	InJobNamespaces    Place = iota // informers in each watched namespace, or cluster-wide if all are watched
	WhereJobsRun                    // in each namespace that has applications
	WhenFirstRead                   // an informer that starts when the first application needs it, where that is
	InLockNamespace                 // of the lease
	InReleaseNamespace              // where the chart is installed
	InSecretNamespace
	ClusterWide
)

// Feature is what only some installations and applications use.
type Feature string

// The features.
const (
	NoFeature        Feature = ""
	LeaderElection   Feature = "leader election"
	SelectNamespaces Feature = "--namespace-selector"
	UIIngresses      Feature = "ingresses"
	Monitoring       Feature = "spec.monitoring"
	DriverClaims     Feature = "claims of drivers"
	OwnCertificates  Feature = "certificates of its own" // not those of cert-manager
)

const (
	informerStops = "its caches never fill and it ends"
	noSubmission  = "spark-submit, which runs with this account, cannot start a driver"
	setup         = "internal/controller/sparkapplication/controller.go@v2.0.0 to @v2.5.2, SetupWithManager"
)

// controllerPermissions lists what the controller of 2.x needs, read in the code of v2.0.0 to v2.5.2; what the charts
// grant beyond that is left out, and so is what only OwnerReferencesPermissionEnforcement asks for.
func controllerPermissions() []Permission {
	v := func(major, minor, patch int) Version { return Version{major, minor, patch} }
	cached := []string{"list", "watch"}
	return []Permission{
		{Verbs: cached, Resource: "pods", Breaks: informerStops, Source: setup},
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkapplications", Breaks: informerStops, Source: setup},
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "scheduledsparkapplications", Breaks: informerStops, Source: "internal/controller/scheduledsparkapplication/controller.go@v2.5.2, SetupWithManager"},
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkconnects", Since: v(2, 3, 0), Breaks: informerStops, Source: "internal/controller/sparkconnect/reconciler.go@v2.3.0, SetupWithManager"},
		{Verbs: cached, Resource: "configmaps", Since: v(2, 3, 0), Breaks: informerStops, Source: "internal/controller/sparkconnect/reconciler.go@v2.3.0, Owns"},
		{Verbs: cached, Resource: "services", Since: v(2, 3, 0), Breaks: informerStops, Source: "internal/controller/sparkconnect/reconciler.go@v2.3.0, Owns"},
		{Verbs: []string{"update"}, Group: snapshot.SparkGroup, Resource: "sparkapplications", Subresource: "status", Place: WhereJobsRun, Breaks: "no application gets a state", Source: "internal/controller/sparkapplication/controller.go@v2.5.2, updateSparkApplicationStatus; #2400"},
		{Verbs: []string{"create"}, Resource: "pods", Place: WhereJobsRun, Breaks: noSubmission, Source: "internal/controller/sparkapplication/submission.go@v2.5.2, runSparkSubmit"},
		{Verbs: []string{"create"}, Resource: "services", Place: WhereJobsRun, Breaks: noSubmission, Source: "DriverServiceFeatureStep@spark-3.5.5"},
		{Verbs: []string{"create"}, Resource: "configmaps", Place: WhereJobsRun, Breaks: noSubmission, Source: "resource-managers/kubernetes Client.scala@spark-3.5.5"},
		{Verbs: []string{"delete"}, Resource: "pods", Place: WhereJobsRun, Degrades: true, Breaks: "no application is run again", Source: "internal/controller/sparkapplication/controller.go@v2.5.2, deleteDriverPod"},
		{Verbs: []string{"get", "create", "update"}, Group: "coordination.k8s.io", Resource: "leases", Place: InLockNamespace, When: LeaderElection, Breaks: "no replica becomes the leader", Source: "cmd/operator/controller/start.go@v2.5.2; k8s.io/client-go tools/leaderelection/resourcelock"},
		{Verbs: cached, Resource: "namespaces", Since: v(2, 5, 0), Place: ClusterWide, When: SelectNamespaces, Breaks: "it takes up nothing", Source: "cmd/operator/controller/start.go@v2.5.0 (#2808)"},
		{Verbs: []string{"create"}, Group: "networking.k8s.io", Resource: "ingresses", Place: WhereJobsRun, When: UIIngresses, Breaks: "applications with an ingress stay SUBMITTED", Source: "internal/controller/sparkapplication/driveringress.go@v2.5.2"},
		// A cached Get starts an informer, for which the worker waits: since 2.5.1 before each create (#2868), before
		// that only when an application is run again. The charts of 2.0.x, 2.5.1 and 2.5.2 leave it out (#2246, #2914).
		{Verbs: cached, Group: "networking.k8s.io", Resource: "ingresses", Since: v(2, 5, 1), Place: WhenFirstRead, When: UIIngresses, Breaks: "its workers wait for ever for ingresses and applications stay SUBMITTED", Source: "internal/controller/sparkapplication/driveringress.go@v2.5.1; charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.5.2"},
		{Verbs: cached, Group: "networking.k8s.io", Resource: "ingresses", Until: v(2, 5, 1), Place: WhenFirstRead, When: UIIngresses, Degrades: true, Breaks: "its workers wait for ever when an application is run again", Source: "internal/controller/sparkapplication/controller.go@v2.0.0, validateSparkResourceDeletion; #2246"},
		{Verbs: cached, Resource: "configmaps", Until: v(2, 3, 0), Place: WhenFirstRead, When: Monitoring, Breaks: "its workers wait for ever for the first application with spec.monitoring", Source: "internal/controller/sparkapplication/monitoring_config.go@v2.0.0; #2185"},
		// Granted from 2.0.1 to 2.5.0. That the account of 2.5.1 is refused it, and that of 2.5.0 is not, was seen with a
		// SubjectAccessReview and by creating a claim as it (TestUpgradeFacts in test/e2e); spark-submit itself was not run.
		{Verbs: []string{"create"}, Resource: "persistentvolumeclaims", Place: WhereJobsRun, When: DriverClaims, Breaks: "spark-submit, which runs with this account, cannot create the driver's claims", Source: "#1348, #2185; charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.5.1 (#2914)"},
	}
}

// webhookPermissions lists what the webhook of 2.x needs.
func webhookPermissions() []Permission {
	const certificates = "pkg/certificate/certificate.go@v2.0.0 to @v2.5.2, SyncSecret"
	cached := []string{"list", "watch"}
	of := func(resource string, verbs []string, breaks string) Permission {
		return Permission{Verbs: verbs, Group: "admissionregistration.k8s.io", Resource: resource, Place: ClusterWide, When: OwnCertificates, Breaks: breaks, Source: "internal/controller/mutatingwebhookconfiguration/controller.go@v2.5.2"}
	}
	const bundle = "caBundle is not written"
	return []Permission{
		{Verbs: []string{"get"}, Resource: "secrets", Place: InSecretNamespace, Breaks: "it ends at its start, without its certificate", Source: certificates},
		of("mutatingwebhookconfigurations", cached, informerStops), of("validatingwebhookconfigurations", cached, informerStops),
		of("mutatingwebhookconfigurations", []string{"update"}, bundle), of("validatingwebhookconfigurations", []string{"update"}, bundle),
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkapplications", Breaks: "it knows no application and lets no Spark pod pass", Source: "internal/webhook/sparkpod_defaulter.go@v2.5.2"},
		{Verbs: []string{"get", "create", "update"}, Group: "coordination.k8s.io", Resource: "leases", Place: InLockNamespace, When: LeaderElection, Breaks: "no replica becomes the leader, and caBundle is not written", Source: "cmd/operator/webhook/start.go@v2.5.2"},
	}
}

// legacyPermissions lists what 1.x needs.
func legacyPermissions() []Permission {
	const source = "main.go, pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0"
	cached, breaks := []string{"list", "watch"}, "its caches never fill and it takes up nothing"
	return []Permission{
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "sparkapplications", Breaks: breaks, Source: source},
		{Verbs: cached, Group: snapshot.SparkGroup, Resource: "scheduledsparkapplications", Breaks: breaks, Source: source},
		{Verbs: cached, Resource: "pods", Breaks: breaks, Source: source},
		{Verbs: []string{"update"}, Group: snapshot.SparkGroup, Resource: "sparkapplications", Subresource: "status", Place: WhereJobsRun, Breaks: "no application gets a state", Source: source},
		{Verbs: []string{"create"}, Resource: "pods", Place: WhereJobsRun, Breaks: noSubmission, Source: source},
		{Verbs: []string{"create"}, Resource: "services", Place: WhereJobsRun, Breaks: noSubmission, Source: source},
		{Verbs: []string{"create"}, Resource: "configmaps", Place: WhereJobsRun, Breaks: noSubmission, Source: source},
	}
}

func (p *Permission) in(v Version) bool {
	return v.Compare(p.Since) >= 0 && (p.Until.IsZero() || v.Compare(p.Until) < 0)
}

// Process is one process of an installation and what it needs.
type Process struct {
	Deployment *snapshot.Deployment
	Namespaces []string // that its informers look into; nil: all
	Needs      []Permission
}

// Processes returns the processes of an installation that run, with the permissions that its release needs.
func (in *Installation) Processes() []Process {
	var out []Process
	add := func(d *snapshot.Deployment, namespaces []string, needs []Permission) {
		if d == nil || d.Replicas == 0 {
			return
		}
		p := Process{Deployment: d, Namespaces: namespaces}
		for _, need := range needs {
			if !need.in(in.Judged()) || !in.has(d, need.When) {
				continue
			}
			need.Name = in.nameIn(d, need)
			p.Needs = append(p.Needs, need)
		}
		out = append(out, p)
	}
	if in.Legacy() {
		add(in.Controller, in.Namespaces(), legacyPermissions())
		return out
	}
	add(in.Controller, in.Namespaces(), controllerPermissions())
	add(in.Webhook, in.WebhookNamespaces(), webhookPermissions())
	return out
}

// has reports whether a process may use a feature; which applications do is another question.
func (in *Installation) has(d *snapshot.Deployment, f Feature) bool {
	switch f {
	case LeaderElection:
		on, set := flagsOf(d)["leader-election"]
		return set && on != "false"
	case SelectNamespaces:
		return in.NamespaceSelector() != ""
	case OwnCertificates:
		return in.CertificateUse() != FromCertManager
	default:
		return true
	}
}

// UIIngress reports whether the controller makes an ingress for every application (internal/controller/
// sparkapplication/controller.go@v2.5.2, submitSparkApplication).
func (in *Installation) UIIngress() bool {
	return in.flag("ingress-url-format") != "" && in.flag("enable-ui-service") != "false"
}

// nameIn returns the name of the one object that a permission is about, as the flags of the process say.
func (in *Installation) nameIn(d *snapshot.Deployment, need Permission) string {
	switch need.Resource {
	case "leases":
		return cmp.Or(flagsOf(d)["leader-election-lock-name"], "spark-operator-lock")
	case "secrets":
		return in.WebhookSecret().Name
	case "mutatingwebhookconfigurations":
		return flagsOf(d)["mutating-webhook-name"]
	case "validatingwebhookconfigurations":
		return flagsOf(d)["validating-webhook-name"]
	default:
		return ""
	}
}

// NamespaceOf returns the namespace of the lease or the Secret of a process.
func (in *Installation) NamespaceOf(d *snapshot.Deployment, p Place) string {
	if p == InSecretNamespace {
		return in.WebhookSecret().Namespace
	}
	return cmp.Or(ownNamespace(flagsOf(d)["leader-election-lock-namespace"], d.Namespace), "spark-operator")
}

// ownNamespace resolves the variable that kustomize passes (config/controller/deployment.yaml@v2.5.2).
func ownNamespace(value, own string) string {
	if len(value) > 1 && value[:2] == "$(" {
		return own
	}
	return value
}
