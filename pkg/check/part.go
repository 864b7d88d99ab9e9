package check

// Part is something that Spark jobs depend on. A check names the parts that its findings break, and which broken parts explain them: a
// new check joins in without an edit of another one.
type Part string

const (
	AdmissionPath   Part = "admission path"   // Service, replicas and certificates between the API server and the webhook
	Registration    Part = "registration"     // webhook configurations, each of an operator that is there
	Mutation        Part = "mutation"         // policy, selector and registration, by which pods pass the webhook
	CertificateData Part = "certificate data" // the Secret and the caBundle, which the operator writes
	WebhookReplicas Part = "webhook replicas" // ready pods of the webhook

	Controller      Part = "controller"       // it runs, leads, and may do what it needs
	ControllerStart Part = "controller start" // nothing ends the controller's process while it starts
	ControllerCache Part = "controller cache" // it has listed every kind that it watches
	Release         Part = "release"          // the operator's release has no defect that applications run into
	NamespaceWatch  Part = "namespace watch"  // an operator watches the namespace
	SingleOperator  Part = "single operator"  // and only one

	ApplicationName  Part = "application name"  // Services and pods can be named after the application
	DriverAccount    Part = "driver account"    // the driver's service account exists and may run executors
	StatusUpdate     Part = "status update"     // the status fits into etcd
	Deletion         Part = "deletion"          // a deleted object goes
	SingleSubmission Part = "single submission" // an application is submitted once at a time
	TemplateOwner    Part = "template owner"    // a workflow owns only objects of its namespace
	ExecutorPods     Part = "executor pods"     // the cluster lets executors work to their end
)
