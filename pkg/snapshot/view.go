package snapshot

import "slices"

// View names one listing: a kind, or a named selection of one.
type View string

// The views. Of some only named parts are read, once those are there that name them.
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

	ResourceQuotas View = "resourcequotas"
	KueueWorkloads View = "workloads.kueue.x-k8s.io" // kept if a SparkApplication owns them

	Namespaces View = "namespaces"

	// Bindings are kept if they concern service accounts.
	RoleBindings        View = "rolebindings.rbac.authorization.k8s.io"
	ClusterRoleBindings View = "clusterrolebindings.rbac.authorization.k8s.io"

	// What others name.
	Owners           View = "owners"                 // metadata of the kinds that ownerReferences name
	WebhookServices  View = "services of webhooks"   // the Services that webhooks of the operator call
	WebhookEndpoints View = "endpoints of webhooks"  // and their EndpointSlices
	OperatorPods     View = "pods of the operator"   // behind the selectors of its Deployments
	WebhookSecrets   View = "certificates' secrets"  // by name; Secrets are never listed
	Leases           View = "leases of the operator" // by name
	HookJobs         View = "hooks of the operator"  // Jobs of its chart, by name

	Nodes View = "nodes" // by name: those of drivers that do not seem to run

	// What bindings of the operator's and of drivers' service accounts name, and these accounts, by name.
	Roles           View = "roles.rbac.authorization.k8s.io"
	ClusterRoles    View = "clusterroles.rbac.authorization.k8s.io"
	ServiceAccounts View = "serviceaccounts"
	OperatorCRDs    View = "customresourcedefinitions of the operator"         // by name; of their schemas the names of fields
	CRDRules        View = "rules of the operator's customresourcedefinitions" // by name; what their schemas demand of values

	// ServedCertificates are asked of the webhook's pods, and only with --probe.
	ServedCertificates View = "certificates that webhook pods serve"

	// OperatorLogs are read of the operator's pods, and only with --logs.
	OperatorLogs View = "logs of the operator"
)

// Role says what a check does with a view, and so what happens to the check when the view could not be read.
type Role int

const (
	Subject   Role = iota // findings are about its objects: without any readable subject the check is skipped
	Compared              // subjects are compared with it: unreadable, the check is skipped
	Optional              // it sharpens the verdict: unreadable, certainty is at most likely
	Consulted             // the check says itself what it can still tell without it: unreadable, the check is partial
	Advised               // only what to do about a finding depends on it: unreadable, that says less
)

// Scope says how far a listing must reach when the user asks for some namespaces only.
type Scope int

const (
	InNamespace Scope = iota // the check never compares across namespaces: the asked namespaces are enough
	Everywhere               // the check compares with other namespaces, or its subjects belong to none
)

// Need is one view that a check reads. A check reads nothing that it does not declare.
type Need struct {
	View  View
	Role  Role
	Scope Scope
}

// Needs merges the needs of several checks into one listing a view: the widest scope wins.
func Needs(lists ...[]Need) []Need {
	at := map[View]int{}
	var out []Need
	for _, list := range lists {
		for _, n := range list {
			i, seen := at[n.View]
			if !seen {
				at[n.View] = len(out)
				out = append(out, n)
				continue
			}
			out[i].Scope = max(out[i].Scope, n.Scope)
			out[i].Role = min(out[i].Role, n.Role)
		}
	}
	return out
}

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
	Version       string   // the version that records are decoded from
	Older         []string // versions with the same fields, the newest first: one is read where the server does not have Version
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

// ApacheGroup is the API group of the Apache Spark Kubernetes Operator (apache/spark-kubernetes-operator
// spark-operator-api/src/main/java/org/apache/spark/k8s/operator/Constants.java@1.0.0). No check reads it.
const ApacheGroup = "spark.apache.org"

// ArgoGroup is the API group of Argo Workflows.
const ArgoGroup = "argoproj.io"

// LaunchedByLabel is on every pod that the operator or SparkConnect starts (pkg/common/spark.go@v2.5.2).
const LaunchedByLabel = "sparkoperator.k8s.io/launched-by-spark-operator"

// ListedSources lists the views that are listed as a whole, in the order in which they should be read.
func ListedSources() []Source { return sourcesOf(listedKinds()) }

// NamedSources lists the views of which only parts are read that other views name, never a listing of all.
func NamedSources() []Source { return sourcesOf(namedKinds()) }

// Sources lists all views that objects are read into.
func Sources() []Source { return append(ListedSources(), NamedSources()...) }

func sourcesOf(rows []kind) []Source {
	out := make([]Source, 0, len(rows))
	for i := range rows {
		out = append(out, rows[i].Source)
	}
	return out
}

// SourceOf returns the source of a view. What is not read by kind (Owners, what pods serve or log) has none.
func SourceOf(v View) (Source, bool) {
	k, known := kindOf(v)
	return k.Source, known && k.Kind != ""
}

// ClusterScoped reports whether objects of a kind belong to no namespace: kinds of the views, and those of Kubernetes itself
// (`kubectl api-resources --namespaced=false`, kubernetes@v1.36).
func ClusterScoped(gk GroupKind) bool {
	if i := slices.IndexFunc(Sources(), func(s Source) bool { return s.GroupKind() == gk }); i >= 0 {
		return !Sources()[i].Namespaced
	}
	return slices.Contains(clusterScoped()[gk.Group], gk.Kind)
}

// clusterScoped are the kinds of Kubernetes without a namespace that no view is of.
func clusterScoped() map[string][]string {
	return map[string][]string{
		"": {"ComponentStatus", "Node", "PersistentVolume"},
		"admissionregistration.k8s.io": {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
			"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"},
		"apiregistration.k8s.io":       {"APIService"},
		"certificates.k8s.io":          {"CertificateSigningRequest", "ClusterTrustBundle"},
		"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
		"networking.k8s.io":            {"IPAddress", "IngressClass", "ServiceCIDR"},
		"node.k8s.io":                  {"RuntimeClass"},
		"policy":                       {"PodSecurityPolicy"},
		"resource.k8s.io":              {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
		"scheduling.k8s.io":            {"PriorityClass"},
		"storage.k8s.io":               {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
	}
}
