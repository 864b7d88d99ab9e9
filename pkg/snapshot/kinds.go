package snapshot

import (
	"slices"
	"sync"
)

// kind is a row of the table of kinds: what the package knows of a view. wire has a decoder under the same key.
type kind struct {
	Source
	role  ownerRole
	new   func() Record // an empty record of its type
	table func() table  // an empty table of such
}

// ownerRole says what the objects of a view have to do with owners.
type ownerRole int

const (
	noOwner     ownerRole = iota // neither refer to owners nor are looked for among them
	known                        // the same, but Has finds them
	canBeOwner                   // each is a candidate for an owner
	dependent                    // kept if they belong to a Spark object, or if they own one
	sparkObject                  // Spark objects and their pods: their owners are looked for, and they are candidates themselves
)

func (r ownerRole) canBeOwner() bool  { return r >= canBeOwner }
func (r ownerRole) isDependent() bool { return r == dependent }
func (r ownerRole) isSpark() bool     { return r == sparkObject }

// row is for records of type T, of which accessors hand out values.
func row[T any, P record[T]](role ownerRole, src Source) kind {
	return rowOf[T, P](role, asValues, src)
}

func rowOf[T any, P record[T]](role ownerRole, kept form, src Source) kind {
	return kind{
		Source: src, role: role, new: func() Record { return P(new(T)) },
		table: func() table { return &tableOf[T, P]{owners: role, form: kept} },
	}
}

// kinds is the table.
var kinds = sync.OnceValue(func() []kind { //nolint:gochecknoglobals // made once, never changed
	return slices.Concat(listedKinds(), namedKinds(), wholeKinds(), otherKinds())
})

// listedKinds are the views that are listed as a whole, in the order in which they should be read: dependents before the objects that own
// them, so that an owner which is created in between is never taken for missing.
func listedKinds() []kind {
	return []kind{
		row[Event](noOwner, Source{View: WarningEvents, Version: "v1", Resource: "events", Kind: "Event", Namespaced: true,
			Encoding: Protobuf, FieldSelector: warningsAsked, PageBytes: 1 << 10, AlsoIn: EventsGroup}),
		rowOf[Pod](sparkObject, inPlace, Source{View: SparkPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true,
			Encoding: Protobuf, LabelSelector: LaunchedByLabel + "=true", PageBytes: 8 << 10}),
		row[Object](dependent, Source{View: Services, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true,
			Encoding: Metadata, PageBytes: 2 << 10}),
		row[Object](dependent, Source{View: Ingresses, Group: "networking.k8s.io", Version: "v1", Resource: "ingresses", Kind: "Ingress",
			Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10}),
		row[Object](dependent, Source{View: ConfigMaps, Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true,
			Encoding: Metadata, PageBytes: 2 << 10}),
		row[Object](dependent, Source{View: PersistentVolumeClaims, Version: "v1", Resource: "persistentvolumeclaims",
			Kind: "PersistentVolumeClaim", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10}),
		row[Object](dependent, Source{View: VolcanoPodGroups, Group: "scheduling.volcano.sh", Version: "v1beta1", Resource: "podgroups",
			Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10}),
		row[Object](dependent, Source{View: SchedulerPodGroups, Group: "scheduling.x-k8s.io", Version: "v1alpha1", Resource: "podgroups",
			Kind: "PodGroup", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10}),
		row[ResourceQuota](noOwner, Source{View: ResourceQuotas, Version: "v1", Resource: "resourcequotas", Kind: "ResourceQuota",
			Namespaced: true, Encoding: Protobuf, PageBytes: 2 << 10}),
		row[Object](noOwner, Source{View: KueueWorkloads, Group: "kueue.x-k8s.io", Version: "v1beta1", Resource: "workloads",
			Kind: "Workload", Namespaced: true, Encoding: Metadata, PageBytes: 2 << 10}),
		rowOf[SparkApplication](sparkObject, inPlace, Source{View: SparkApplications, Group: SparkGroup, Version: "v1beta2",
			Resource: "sparkapplications", Kind: "SparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10}),
		row[Schedule](sparkObject, Source{View: ScheduledSparkApplications, Group: SparkGroup, Version: "v1beta2",
			Resource: "scheduledsparkapplications", Kind: "ScheduledSparkApplication", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10}),
		row[SparkConnect](sparkObject, Source{View: SparkConnects, Group: SparkGroup, Version: "v1alpha1", Resource: "sparkconnects",
			Kind: "SparkConnect", Namespaced: true, Encoding: JSON, PageBytes: 16 << 10}),
		row[Deployment](known, Source{View: Deployments, Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment",
			Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10}),
		row[WebhookConfiguration](noOwner, Source{View: MutatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1",
			Resource: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10}),
		row[WebhookConfiguration](noOwner, Source{View: ValidatingWebhooks, Group: "admissionregistration.k8s.io", Version: "v1",
			Resource: "validatingwebhookconfigurations", Kind: "ValidatingWebhookConfiguration", Encoding: Protobuf, PageBytes: 16 << 10}),
		row[Object](noOwner, Source{View: Namespaces, Version: "v1", Resource: "namespaces", Kind: "Namespace", Encoding: Metadata,
			PageBytes: 1 << 10}),
		row[RoleBinding](noOwner, Source{View: RoleBindings, Group: RBACGroup, Version: "v1", Resource: "rolebindings",
			Kind: "RoleBinding", Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10}),
		row[RoleBinding](noOwner, Source{View: ClusterRoleBindings, Group: RBACGroup, Version: "v1", Resource: "clusterrolebindings",
			Kind: "ClusterRoleBinding", Encoding: Protobuf, PageBytes: 1 << 10}),
		row[Workflow](canBeOwner, Source{View: Workflows, Group: ArgoGroup, Version: "v1alpha1", Resource: "workflows", Kind: "Workflow",
			Namespaced: true, Encoding: JSON, LabelSelector: "workflows.argoproj.io/completed!=true", PageBytes: 64 << 10}),
		row[Workflow](canBeOwner, Source{View: WorkflowTemplates, Group: ArgoGroup, Version: "v1alpha1", Resource: "workflowtemplates",
			Kind: "WorkflowTemplate", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10}),
		row[Workflow](canBeOwner, Source{View: ClusterWorkflowTemplates, Group: ArgoGroup, Version: "v1alpha1",
			Resource: "clusterworkflowtemplates", Kind: "ClusterWorkflowTemplate", Encoding: JSON, PageBytes: 32 << 10}),
		row[Workflow](canBeOwner, Source{View: CronWorkflows, Group: ArgoGroup, Version: "v1alpha1", Resource: "cronworkflows",
			Kind: "CronWorkflow", Namespaced: true, Encoding: JSON, PageBytes: 32 << 10}),
	}
}

// namedKinds are the views of which only parts are read that other views name.
func namedKinds() []kind {
	return []kind{
		row[Service](noOwner, Source{View: WebhookServices, Version: "v1", Resource: "services", Kind: "Service", Namespaced: true,
			Encoding: Protobuf, PageBytes: 2 << 10, ByName: true}),
		row[EndpointSlice](noOwner, Source{View: WebhookEndpoints, Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices",
			Kind: "EndpointSlice", Namespaced: true, Encoding: Protobuf, PageBytes: 8 << 10}),
		row[CRD](noOwner, Source{View: OperatorCRDs, Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
			Kind: "CustomResourceDefinition", Encoding: JSON, PageBytes: 512 << 10, ByName: true}),
		row[CRDRule](noOwner, Source{View: CRDRules, Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
			Kind: "CustomResourceDefinition", Encoding: JSON, PageBytes: 512 << 10, ByName: true}),
		row[RoleRules](noOwner, Source{View: Roles, Group: RBACGroup, Version: "v1", Resource: "roles", Kind: "Role", Namespaced: true,
			Encoding: Protobuf, PageBytes: 1 << 10, ByName: true}),
		row[RoleRules](noOwner, Source{View: ClusterRoles, Group: RBACGroup, Version: "v1", Resource: "clusterroles", Kind: "ClusterRole",
			Encoding: Protobuf, PageBytes: 4 << 10, ByName: true}),
		row[Object](noOwner, Source{View: ServiceAccounts, Version: "v1", Resource: "serviceaccounts", Kind: "ServiceAccount",
			Namespaced: true, Encoding: Metadata, PageBytes: 1 << 10, ByName: true}),
		row[Node](noOwner, Source{View: Nodes, Version: "v1", Resource: "nodes", Kind: "Node", Encoding: Protobuf, PageBytes: 16 << 10,
			ByName: true}),
		row[OperatorPod](noOwner, Source{View: OperatorPods, Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true,
			Encoding: Protobuf, PageBytes: 8 << 10, AtOperator: true}),
		row[WebhookSecret](noOwner, Source{View: WebhookSecrets, Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true,
			Encoding: Protobuf, PageBytes: 8 << 10, ByName: true, AtOperator: true}),
		row[Job](noOwner, Source{View: HookJobs, Group: "batch", Version: "v1", Resource: "jobs", Kind: "Job", Namespaced: true,
			Encoding: Protobuf, PageBytes: 4 << 10, ByName: true, AtOperator: true}),
		row[Lease](noOwner, Source{View: Leases, Group: "coordination.k8s.io", Version: "v1", Resource: "leases", Kind: "Lease",
			Namespaced: true, Encoding: Protobuf, PageBytes: 1 << 10, ByName: true, AtOperator: true}),
	}
}

// otherKinds are the views whose records no listing of a kind gives.
func otherKinds() []kind {
	return []kind{
		rowOf[Object](noOwner, inPlace, Source{View: Owners}),
		rowOf[Object](noOwner, once, Source{View: Annotated}),
		row[Object](noOwner, Source{View: AccessReviews}),
		row[ServedCertificate](noOwner, Source{View: ServedCertificates}),
		row[OperatorLog](noOwner, Source{View: OperatorLogs}),
	}
}

// kindsByView is the table by its key, which everything that is read or decoded asks for.
var kindsByView = sync.OnceValue(func() map[View]kind { //nolint:gochecknoglobals // made once, never changed
	out := map[View]kind{}
	for _, k := range kinds() {
		out[k.View] = k
	}
	return out
})

func kindOf(v View) (kind, bool) {
	k, known := kindsByView()[v]
	return k, known
}

// viewsOf returns the views of some roles, in the order of the table.
func viewsOf(roles ...ownerRole) []View {
	var out []View
	for _, k := range kinds() {
		if slices.Contains(roles, k.role) {
			out = append(out, k.View)
		}
	}
	return out
}

// DependentViews lists the views that are read as metadata and hold what belongs to a Spark object.
func DependentViews() []View { return viewsOf(dependent) }

// NewRecord returns an empty record of the type that a view holds, nil if this build does not know the view.
func NewRecord(v View) Record {
	k, known := kindOf(v)
	if !known {
		return nil
	}
	return k.new()
}
