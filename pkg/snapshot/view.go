package snapshot

import "slices"

// View names one listing: a kind, or a named selection of one.
type View string

// The views. Those of the second round can only be asked for once the first round is known.
const (
	SparkApplications          View = "sparkapplications.sparkoperator.k8s.io"
	ScheduledSparkApplications View = "scheduledsparkapplications.sparkoperator.k8s.io"
	SparkConnects              View = "sparkconnects.sparkoperator.k8s.io"
	SparkPods                  View = "pods launched by the operator"
	Services                   View = "services"
	Ingresses                  View = "ingresses.networking.k8s.io"
	ConfigMaps                 View = "configmaps"
	PersistentVolumeClaims     View = "persistentvolumeclaims"
	VolcanoPodGroups           View = "podgroups.scheduling.volcano.sh"
	SchedulerPodGroups         View = "podgroups.scheduling.x-k8s.io"
	Deployments                View = "deployments.apps"
	MutatingWebhooks           View = "mutatingwebhookconfigurations.admissionregistration.k8s.io"
	ValidatingWebhooks         View = "validatingwebhookconfigurations.admissionregistration.k8s.io"
	WarningEvents              View = "warning events"
	Workflows                  View = "workflows.argoproj.io"
	WorkflowTemplates          View = "workflowtemplates.argoproj.io"
	ClusterWorkflowTemplates   View = "clusterworkflowtemplates.argoproj.io"
	CronWorkflows              View = "cronworkflows.argoproj.io"

	Namespaces View = "namespaces"

	// Bindings are kept if they concern service accounts.
	RoleBindings        View = "rolebindings.rbac.authorization.k8s.io"
	ClusterRoleBindings View = "clusterrolebindings.rbac.authorization.k8s.io"

	// Second round: what only the first one can name.
	Owners           View = "owners"                 // metadata of the kinds that ownerReferences name
	WebhookServices  View = "services of webhooks"   // the Services that webhooks of the operator call
	WebhookEndpoints View = "endpoints of webhooks"  // and their EndpointSlices
	OperatorPods     View = "pods of the operator"   // behind the selectors of its Deployments
	WebhookSecrets   View = "certificates' secrets"  // by name; Secrets are never listed
	Leases           View = "leases of the operator" // by name

	// What bindings of the operator's and of drivers' service accounts name, and these accounts, by name.
	Roles           View = "roles.rbac.authorization.k8s.io"
	ClusterRoles    View = "clusterroles.rbac.authorization.k8s.io"
	ServiceAccounts View = "serviceaccounts"
	OperatorCRDs    View = "customresourcedefinitions of the operator" // by name; without what their schemas say but names

	// ServedCertificates are asked of the webhook's pods, and only with --probe.
	ServedCertificates View = "certificates that webhook pods serve"

	// OperatorLogs are read of the operator's pods, and only with --logs.
	OperatorLogs View = "logs of the operator"
)

// Encoding is the form in which items of a view are asked for on the wire.
type Encoding int

const (
	JSON     Encoding = iota // custom resources, files
	Protobuf                 // built-in kinds in full
	Metadata                 // PartialObjectMetadata, as protobuf
)

// Source says where the objects of a view come from.
type Source struct {
	View          View
	Group         string
	Version       string // the version that records are decoded from
	Resource      string
	Kind          string
	Namespaced    bool
	Encoding      Encoding
	LabelSelector string
	FieldSelector string
	PageBytes     int  // expected size of one item, from which page sizes follow
	ByName        bool // each object is got by its name: nobody needs the right to list them
	AtOperator    bool // only objects in the namespaces of the operator are read
}

// APIVersion returns "group/version", or "version" for the core group.
func (s Source) APIVersion() string {
	if s.Group == "" {
		return s.Version
	}
	return s.Group + "/" + s.Version
}

// GroupKind returns the kind of the objects in the view.
func (s Source) GroupKind() GroupKind { return GroupKind{Group: s.Group, Kind: s.Kind} }

// SparkGroup is the API group of the Kubeflow Spark Operator. spark.apache.org is another project.
const SparkGroup = "sparkoperator.k8s.io"

// LaunchedByLabel is on every pod that the operator or SparkConnect starts (pkg/common/spark.go@v2.5.2).
const LaunchedByLabel = "sparkoperator.k8s.io/launched-by-spark-operator"

// Sources lists the views of the first round in the order in which they should be read: dependents before the
// objects that own them, so that an owner which is created in between is never taken for missing.
func Sources() []Source {
	return []Source{
		{View: WarningEvents, Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Encoding: Protobuf, FieldSelector: warningsAsked, PageBytes: 1 << 10},
		{View: SparkPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Encoding: Protobuf, LabelSelector: LaunchedByLabel + "=true", PageBytes: 8 << 10},
		{View: Services, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: Ingresses, Group: "networking.k8s.io", Version: "v1", Resource: "ingresses", Kind: "Ingress", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: ConfigMaps, Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: PersistentVolumeClaims, Version: "v1", Resource: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: VolcanoPodGroups, Group: "scheduling.volcano.sh", Version: "v1beta1", Resource: "podgroups", Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: SchedulerPodGroups, Group: "scheduling.x-k8s.io", Version: "v1alpha1", Resource: "podgroups", Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: SparkApplications, Group: SparkGroup, Version: "v1beta2", Resource: "sparkapplications", Kind: "SparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
		{View: ScheduledSparkApplications, Group: SparkGroup, Version: "v1beta2", Resource: "scheduledsparkapplications", Kind: "ScheduledSparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10},
		{View: SparkConnects, Group: SparkGroup, Version: "v1alpha1", Resource: "sparkconnects", Kind: "SparkConnect", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10},
		{View: Deployments, Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10},
		{View: MutatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10},
		{View: ValidatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations", Kind: "ValidatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10},
		{View: Namespaces, Version: "v1", Resource: "namespaces", Kind: "Namespace", Encoding: Metadata, PageBytes: 1 << 10},
		{View: RoleBindings, Group: RBACGroup, Version: "v1", Resource: "rolebindings", Kind: "RoleBinding", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10},
		{View: ClusterRoleBindings, Group: RBACGroup, Version: "v1", Resource: "clusterrolebindings", Kind: "ClusterRoleBinding", Encoding: Protobuf, PageBytes: 1 << 10},
		{View: Workflows, Group: "argoproj.io", Version: "v1alpha1", Resource: "workflows", Kind: "Workflow", Namespaced: true, Encoding: JSON, LabelSelector: "workflows.argoproj.io/completed!=true", PageBytes: 64 << 10},
		{View: WorkflowTemplates, Group: "argoproj.io", Version: "v1alpha1", Resource: "workflowtemplates", Kind: "WorkflowTemplate", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
		{View: ClusterWorkflowTemplates, Group: "argoproj.io", Version: "v1alpha1", Resource: "clusterworkflowtemplates", Kind: "ClusterWorkflowTemplate", Encoding: JSON, PageBytes: 32 << 10},
		{View: CronWorkflows, Group: "argoproj.io", Version: "v1alpha1", Resource: "cronworkflows", Kind: "CronWorkflow", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
	}
}

// SourceOf returns the source of a view of the first round.
func SourceOf(v View) (Source, bool) {
	all := Sources()
	i := slices.IndexFunc(all, func(s Source) bool { return s.View == v })
	if i < 0 {
		return Source{}, false
	}
	return all[i], true
}

// DependentViews lists the views that are read as metadata and hold what belongs to a Spark object.
func DependentViews() []View {
	return []View{Services, Ingresses, ConfigMaps, PersistentVolumeClaims, VolcanoPodGroups, SchedulerPodGroups}
}

func dependent(v View) bool { return slices.Contains(DependentViews(), v) }

// SecondRound lists the views of which only named parts are read, never a listing of all.
func SecondRound() []Source {
	return []Source{
		{View: WebhookServices, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Encoding: Protobuf, PageBytes: 2 << 10, ByName: true},
		{View: WebhookEndpoints, Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices", Kind: "EndpointSlice", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10},
		{View: OperatorCRDs, Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Kind: "CustomResourceDefinition", Encoding: JSON, PageBytes: 512 << 10, ByName: true},
		{View: Roles, Group: RBACGroup, Version: "v1", Resource: "roles", Kind: "Role", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10, ByName: true},
		{View: ClusterRoles, Group: RBACGroup, Version: "v1", Resource: "clusterroles", Kind: "ClusterRole", Encoding: Protobuf, PageBytes: 4 << 10, ByName: true},
		{View: ServiceAccounts, Version: "v1", Resource: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true, Encoding: Metadata, PageBytes: 1 << 10, ByName: true},
		{View: OperatorPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10, AtOperator: true},
		{View: WebhookSecrets, Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10, ByName: true, AtOperator: true},
		{View: Leases, Group: "coordination.k8s.io", Version: "v1", Resource: "leases", Kind: "Lease", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10, ByName: true, AtOperator: true},
	}
}

// AnySource returns the source of a view of either round.
func AnySource(v View) (Source, bool) {
	all := append(Sources(), SecondRound()...)
	i := slices.IndexFunc(all, func(s Source) bool { return s.View == v })
	if i < 0 {
		return Source{}, false
	}
	return all[i], true
}

// SecondRoundSource returns the source of a view of the second round.
func SecondRoundSource(v View) Source {
	all := SecondRound()
	return all[slices.IndexFunc(all, func(s Source) bool { return s.View == v })]
}
