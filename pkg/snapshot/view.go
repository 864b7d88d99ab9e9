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
