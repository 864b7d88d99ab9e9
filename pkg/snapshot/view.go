package snapshot

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

	Nodes View = "nodes" // by name: those of drivers that do not seem to run

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

// Role says what a check does with a view, and so what happens to the check when the view could not be read.
type Role int

const (
	Subject   Role = iota // findings are about its objects: without any readable subject the check is skipped
	Compared              // subjects are compared with it: unreadable, the check is skipped
	Optional              // it sharpens the verdict: unreadable, certainty is at most likely
	Consulted             // the check says itself what it can still tell without it: unreadable, the check is partial
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
