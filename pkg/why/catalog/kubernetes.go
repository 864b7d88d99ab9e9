package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// kubernetes lists what the API server answers to a driver or a submission.
func kubernetes() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "quota-exceeded", Class: cause.Quota, Certain: true,
			Message: `is forbidden: exceeded quota: (?P<quota>[\w.-]+), requested: (?P<asked>[\w./=,-]+?), used: ` +
				`(?P<used>[\w./=,-]+?), ` + `limited: (?P<limited>[\w./=,-]*\w)|exceeded quota: (?P<quota2>[\w.-]+)`,
			Says: "quota ${quota} refuses the pod" +
				"[: requested ${asked}, used ${used}, limited ${limited}]", Next: steps("raise the quota, ask for less (memory, memoryOverhead, " +
				"cores, instances of spec.executor), or wait until other pods end"),
			Source: "kubernetes/apiserver pkg/admission/plugin/resourcequota/controller.go@v0.36.3",
		},
		{
			ID: "quota-must-specify", Class: cause.Quota, Certain: true,
			Message: `failed quota: ` +
				`(?P<quota>[\w.-]+): must specify (?P<what>[\w./,-]*\w)`,
			Says: "quota ${quota} refuses pods that do not set ${what}", Next: steps("set ${what} for driver " +
				"and executor (driver.coreLimit and executor.coreLimit for limits.cpu), or a LimitRange with defaults"),
			Source: "kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go@v1.36.3; " +
				"kubernetes/apiserver pkg/admission/plugin/resourcequota/controller.go@v0.36.3",
		},
		{
			ID: "limit-range", Class: cause.Quota, Certain: true,
			Message: `is forbidden: ` +
				`\[?(?P<what>(?:maximum|minimum) (?:cpu|memory|ephemeral-storage|\S+) usage per (?:Container|Pod) is [^\n"\]]+|` +
				`[\w./-]+ max limit to request ratio per (?:Container|Pod) is [^\n"\]]+)`,
			Says: "a LimitRange refuses the pod: ${what}", Next: steps("raise the LimitRange, or keep within it: memory and memoryOverhead, " +
				"cores and coreLimit of spec.executor or spec.driver"),
			Source: "kubernetes/kubernetes plugin/pkg/admission/limitranger/admission.go@v1.36.3",
		},
		{
			ID: "pod-security", Class: cause.Submission, Certain: true,
			Message: `violates PodSecurity ` +
				`"(?P<level>[^"]+)": (?P<why>[^\n]+)`,
			Says: "Pod Security ${level} refuses the pod: ${why}", Next: steps("set the securityContext that " +
				"the level asks for, or change the label of the namespace"),
			Source: "kubernetes/pod-security-admission admission/admission.go@v0.36.0",
		},
		{
			ID: "webhook-unreachable", Class: cause.Submission, Certain: true,
			Message: `failed calling ` +
				`webhook "?\\?"?(?P<webhook>[\w.-]+)\\?"?: (?P<why>[^\n]+)`,
			Says: "admission webhook ${webhook} could not be called: ${why}", Next: steps("repair the " +
				"webhook: its pods, service and certificate"),
			Source: "kubernetes/apiserver pkg/util/webhook/error.go@v0.36.3",
		},
		{
			ID: "webhook-denied", Class: cause.Submission, Certain: true,
			Message: `admission webhook ` +
				`\\?"(?P<webhook>[\w.-]+?)\\?" denied the request: ?(?P<why>[^\n]*)`,
			Says: "admission webhook ${webhook} refused the pod: ${why}", Next: steps("change the spec as " +
				"the policy asks, or the policy"),
			Source: "kubernetes/apiserver pkg/admission/plugin/webhook/errors/statuserror.go@v0.36.3",
		},
		{
			ID: "policy-denied", Class: cause.Submission, Certain: true,
			Message: `(?:ValidatingAdmissionPolicy|policy) ` +
				`'(?P<policy>[\w.-]+)'(?: with binding '[^']+')? denied request: (?P<why>[^\n]+)`,
			Says: "admission policy ${policy} refused the pod: ${why}", Next: steps("change the spec as the " +
				"policy asks, or the policy"),
			Source: "kubernetes/apiserver pkg/admission/plugin/policy/validating/dispatcher.go@v0.36.3",
		},
		{
			ID: "service-account-missing", Class: cause.Configuration, Certain: true,
			Message: `error looking up service account (?P<account>[\w./-]+): serviceaccounts? "[^"]+" not found|` +
				`service account (?P<account2>[\w./-]+) was not found, retry after the service account is created`,
			Says: "service account ${account} does not exist", Next: steps("create it, or correct " +
				"driver.serviceAccount"),
			Source: "kubernetes/kubernetes plugin/pkg/admission/serviceaccount/admission.go@v1.36.3; " +
				"kubernetes/kubernetes plugin/pkg/admission/serviceaccount/admission.go@0061479",
		},
		{
			ID: "rbac-denied", Class: cause.Credentials, Certain: true,
			Message: `User \\?"(?P<user>[^"\\]+)\\?" cannot (?P<verb>\w+) resource ` +
				`\\?"(?P<resource>[\w./-]+)\\?"(?: in API group \\?"(?P<group>[^"\\]*)\\?")?`,
			Says: "${user} has no right to ${verb} ${resource}", Next: steps("add ${verb} on ${resource} to " +
				"the Role of the service account"),
			Source: "kubernetes/apiserver pkg/endpoints/handlers/responsewriters/errors.go@v0.36.3",
		},
		{
			ID: "token-rejected", Class: cause.Credentials, Certain: true,
			Message: `KubernetesClientException[^\n]*(?:Message: Unauthorized|[Cc]ode[=: ]+401|` +
				`\bUnauthorized\b)|Token may have expired!`,
			Says: "the API server rejected the token of the service account (401)", Next: steps("check that " +
				"the projected token is mounted and renewed, and use a Spark whose Kubernetes client reloads it"),
			Source: "fabric8io/kubernetes-client kubernetes-client-api/src/main/java/io/fabric8/kubernetes/client/" +
				"Config.java@v6.7.2; " +
				"fabric8io/kubernetes-client kubernetes-client/src/main/java/io/fabric8/kubernetes/client/dsl/internal/" +
				"OperationSupport.java@v6.7.2",
		},
		{
			ID: "driver-pod-not-found", Class: cause.Configuration, Certain: true,
			Message: `No pod was ` +
				`found named (?P<pod>[\w.-]+) in the cluster in the namespace (?P<namespace>[\w.-]+)`,
			Says: "the driver looks for its own pod ${pod} in namespace ${namespace} and does not find " +
				"it", Next: steps("correct spark.kubernetes.driver.pod.name and spark.kubernetes.namespace"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsAllocator.scala@v3.5.3",
		},
		{
			// API servers with the fix of CVE-2019-14809 refuse the watches of kubernetes-client before 4.4.2, and their answer has no
			// message: what RBAC refuses has one.
			ID: "watch-refused", Class: cause.Dependency, Certain: true,
			Message: `WatchConnectionManager: Exec Failure: HTTP 403, Status: 403 - ?$|^Exec Failure: HTTP 403, Status: 403 - ?$`,
			Says: "the API server refuses the driver's watch with 403 and gives no reason (WatchConnectionManager): most likely the Kubernetes " +
				"client of this Spark is too old for it",
			Next: steps("use Spark 2.4.5 or newer, or kubernetes-client 4.4.2 or newer in its jars",
				"if that is so already, check what the driver's service account may do"),
			Source: "JahstreetOrg/spark-on-kubernetes-helm issue 24; kubeflow/spark-operator issue 591",
		},
		{
			ID: "api-dns", Class: cause.Network, Certain: true,
			Message: `UnknownHostException: ` +
				`(?P<host>kubernetes\.default\.svc[\w.-]*)(?:: (?P<why>[^\n]+))?`,
			Says: "the name of the API server ${host} does not resolve", Next: steps("check CoreDNS, and " +
				"NetworkPolicies that block port 53"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/net/UnknownHostException.java@jdk-25.0.3+9",
		},
		{
			ID: "api-unreachable", Class: cause.Network,
			Message: `(?:ConnectException|` +
				`SocketTimeoutException|HttpConnectTimeoutException): [^\n]*kubernetes\.default\.svc[^\n]*|` +
				`KubernetesClientException: (?:Operation: |` +
				`An error has occurred)[^\n]*[\s\S]*(?:Connection refused|connect timed out)`,
			Says: "the driver cannot connect to the API server", Next: steps("check NetworkPolicies, a " +
				"sidecar that starts later, and the API " +
				"server"),
			Source: "fabric8io/kubernetes-client kubernetes-client-api/src/main/java/io/fabric8/kubernetes/client/" +
				"KubernetesClientException.java@v6.7.2",
		},
		{
			ID: "executor-pod-exists", Class: cause.Submission,
			Message: `(?P<kind>pods|services|` +
				`configmaps) \\?"(?P<name>[\w.-]+)\\?" already exists`,
			Says: "${kind} ${name} already exists from an earlier run", Next: steps("delete it, or give the " +
				"run another name"),
			Source: "kubernetes/apimachinery pkg/api/errors/errors.go@v0.37.2",
		},
		{
			ID: "shared-claim", Class: cause.Configuration, Certain: true,
			Message: `PVC ClaimName: (?P<claim>\S+) should contain OnDemand or SPARK_EXECUTOR_ID when requiring multiple executors`,
			Says:    "several executors would mount claim ${claim}, which Spark refuses: a claim is for one of them",
			Next: steps("set claimName to OnDemand, or put SPARK_EXECUTOR_ID into it; what all executors share goes into spec.volumes and " +
				"volumeMounts, with ReadWriteMany"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/" +
				"MountVolumesFeatureStep.scala@v3.4.0",
		},
		{
			ID: "executor-invalid", Class: cause.Configuration, Certain: true,
			Message: `(?:Pod) \\?"(?P<name>[\w.-]+-exec-\d+)\\?" is invalid: (?P<why>[^\n]+)`,
			Says: "the API server refuses executor pod ${name} as invalid: " +
				"${why}", Next: steps("correct the field in spec.executor, spec.volumes or sparkConf"),
			Source: "kubernetes/apimachinery pkg/api/errors/errors.go@v0.37.2",
		},
		{
			ID: "pod-invalid", Class: cause.Submission, Certain: true,
			Message: `(?:Pod|Service|` +
				`ConfigMap) \\?"(?P<name>[\w.-]+)\\?" is invalid: (?P<why>[^\n]+)`,
			Says: "the API server refuses ${name} as invalid: " +
				"${why}", Next: steps("correct the field"),
			Source: "kubernetes/apimachinery pkg/api/errors/errors.go@v0.37.2",
		},
		{
			ID: "namespace-terminating", Class: cause.Submission, Certain: true,
			Message: `because it is ` +
				`being terminated|namespaces? \\?"(?P<namespace>[\w-]+)\\?" not found`,
			Says: "the namespace[ ${namespace}] does not exist or is being deleted", Next: steps("create the " +
				"namespace, or use " +
				"another"),
			Source: "kubernetes/apiserver pkg/admission/plugin/namespace/lifecycle/admission.go@v0.36.3",
		},
		{
			ID: "scheduler-backend", Class: cause.Unknown, Effect: true, Message: `External scheduler cannot be instantiated`,
			Says: "the driver could not start its part for Kubernetes; the cause below says " +
				"why", Next: steps("read the cause below this line"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3",
		},
	}
}
