package snapshot

import "slices"

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
	// AlsoIn is another group in which the API server serves the same objects with other fields: a listing of one has them all,
	// and files may hold either.
	AlsoIn string
}

// InGroups returns the source for each group in which its objects may be found in files.
func (s Source) InGroups() []Source {
	if s.AlsoIn == "" {
		return []Source{s}
	}
	other := s
	other.Group, other.AlsoIn = s.AlsoIn, ""
	return []Source{s, other}
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

const argoGroup = "argoproj.io"

// LaunchedByLabel is on every pod that the operator or SparkConnect starts (pkg/common/spark.go@v2.5.2).
const LaunchedByLabel = "sparkoperator.k8s.io/launched-by-spark-operator"

// ListedSources lists the views that are listed as a whole, in the order in which they should be read: dependents before
// the objects that own them, so that an owner which is created in between is never taken for missing.
func ListedSources() []Source {
	return []Source{
		{View: WarningEvents, Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Encoding: Protobuf, FieldSelector: warningsAsked, PageBytes: 1 << 10, AlsoIn: eventsGroup},
		{View: SparkPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Encoding: Protobuf, LabelSelector: LaunchedByLabel + "=true", PageBytes: 8 << 10},
		{View: Services, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: Ingresses, Group: "networking.k8s.io", Version: "v1", Resource: "ingresses", Kind: "Ingress", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: ConfigMaps, Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: PersistentVolumeClaims, Version: "v1", Resource: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: VolcanoPodGroups, Group: "scheduling.volcano.sh", Version: "v1beta1", Resource: "podgroups", Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: SchedulerPodGroups, Group: "scheduling.x-k8s.io", Version: "v1alpha1", Resource: "podgroups", Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: ResourceQuotas, Version: "v1", Resource: "resourcequotas", Kind: "ResourceQuota", Namespaced: true, Encoding: Protobuf, PageBytes: 2 << 10},
		{View: KueueWorkloads, Group: "kueue.x-k8s.io", Version: "v1beta1", Resource: "workloads", Kind: "Workload", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10},
		{View: SparkApplications, Group: SparkGroup, Version: "v1beta2", Resource: "sparkapplications", Kind: "SparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
		{View: ScheduledSparkApplications, Group: SparkGroup, Version: "v1beta2", Resource: "scheduledsparkapplications", Kind: "ScheduledSparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10},
		{View: SparkConnects, Group: SparkGroup, Version: "v1alpha1", Resource: "sparkconnects", Kind: "SparkConnect", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10},
		{View: Deployments, Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10},
		{View: MutatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10},
		{View: ValidatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations", Kind: "ValidatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10},
		{View: Namespaces, Version: "v1", Resource: "namespaces", Kind: "Namespace", Encoding: Metadata, PageBytes: 1 << 10},
		{View: RoleBindings, Group: RBACGroup, Version: "v1", Resource: "rolebindings", Kind: "RoleBinding", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10},
		{View: ClusterRoleBindings, Group: RBACGroup, Version: "v1", Resource: "clusterrolebindings", Kind: "ClusterRoleBinding", Encoding: Protobuf, PageBytes: 1 << 10},
		{View: Workflows, Group: argoGroup, Version: "v1alpha1", Resource: "workflows", Kind: "Workflow", Namespaced: true, Encoding: JSON, LabelSelector: "workflows.argoproj.io/completed!=true", PageBytes: 64 << 10},
		{View: WorkflowTemplates, Group: argoGroup, Version: "v1alpha1", Resource: "workflowtemplates", Kind: "WorkflowTemplate", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
		{View: ClusterWorkflowTemplates, Group: argoGroup, Version: "v1alpha1", Resource: "clusterworkflowtemplates", Kind: "ClusterWorkflowTemplate", Encoding: JSON, PageBytes: 32 << 10},
		{View: CronWorkflows, Group: argoGroup, Version: "v1alpha1", Resource: "cronworkflows", Kind: "CronWorkflow", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10},
	}
}

// NamedSources lists the views of which only parts are read that other views name, never a listing of all.
func NamedSources() []Source {
	return []Source{
		{View: WebhookServices, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Encoding: Protobuf, PageBytes: 2 << 10, ByName: true},
		{View: WebhookEndpoints, Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices", Kind: "EndpointSlice", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10},
		{View: OperatorCRDs, Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Kind: "CustomResourceDefinition", Encoding: JSON, PageBytes: 512 << 10, ByName: true},
		{View: Roles, Group: RBACGroup, Version: "v1", Resource: "roles", Kind: "Role", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10, ByName: true},
		{View: ClusterRoles, Group: RBACGroup, Version: "v1", Resource: "clusterroles", Kind: "ClusterRole", Encoding: Protobuf, PageBytes: 4 << 10, ByName: true},
		{View: ServiceAccounts, Version: "v1", Resource: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true, Encoding: Metadata, PageBytes: 1 << 10, ByName: true},
		{View: Nodes, Version: "v1", Resource: "nodes", Kind: "Node", Encoding: Protobuf, PageBytes: 16 << 10, ByName: true},
		{View: OperatorPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10, AtOperator: true},
		{View: WebhookSecrets, Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10, ByName: true, AtOperator: true},
		{View: Leases, Group: "coordination.k8s.io", Version: "v1", Resource: "leases", Kind: "Lease", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10, ByName: true, AtOperator: true},
	}
}

// Sources lists all views that objects are read into.
func Sources() []Source { return append(ListedSources(), NamedSources()...) }

// SourceOf returns the source of a view. What is not listed by kind (Owners, what pods serve or log) has none.
func SourceOf(v View) (Source, bool) {
	all := Sources()
	i := slices.IndexFunc(all, func(s Source) bool { return s.View == v })
	if i < 0 {
		return Source{}, false
	}
	return all[i], true
}
