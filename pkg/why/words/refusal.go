package words

import (
	"os"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Made is what an operator could not make.
type Made struct {
	pod   string // as the subject of a sentence: "the driver"
	owner string // of the pod: the resource whose finalizers who makes it must be allowed to update
	group string // of the API, of the owner
}

// TheDriver is that of a SparkApplication of our operator.
func TheDriver() Made { return Made{"the driver", "sparkapplications/finalizers", snapshot.SparkGroup} }

// TheServer is that of a SparkConnect.
func TheServer() Made { return Made{"the server", "sparkconnects/finalizers", snapshot.SparkGroup} }

// Refused says what refused a submission, of which pod.
func (t Terms) Refused(r *mechanism.Refusal, of Made) Phrase {
	pod := of.pod
	refused := pod
	if r.OfWebUI {
		refused = "the Service or Ingress of the web UI"
	}
	fill := func(name string) string {
		switch name {
		case "pod":
			return pod
		case "refused":
			return refused
		case "less":
			return t.about(cause.DriverRole).sizes(sizesOf(r.Amount.Resource))
		case "within":
			return t.about(cause.DriverRole).sizes("{driver.memory} and {driver.memoryOverhead}, {driver.cores} and {driver.coreLimit}")
		case "owner":
			return of.owner
		case "group":
			return of.group
		default:
			return map[string]string{"name": r.Name, "said": r.Said, "user": r.Asked.User, "verb": r.Asked.Verb, "resource": r.Asked.Resource,
				"namespace": r.Asked.Namespace}[name]
		}
	}
	text := refusalText(r.Kind)
	if of := r.Amount.Resource; of != "" && sizesOf(of) == "" {
		text.next = "free or raise quota ${name}: it counts " + string(of) + ", so that a smaller pod does not help"
	}
	if r.Kind == mechanism.WebhookUncalled {
		return Phrase{Says: os.Expand(text.says, fill), Do: []command.Command{callable(r)}}
	}
	return Phrase{Says: os.Expand(text.says, fill), Do: []command.Command{command.Do("%s", os.Expand(t.filled(text.next), fill))}}
}

// sizesOf are the fields of a driver that count against a resource of a quota; empty: none does, as where it counts objects.
func sizesOf(of corev1.ResourceName) string {
	switch of {
	case "":
		return "{driver.memory}, {driver.memoryOverhead}, {driver.cores}, {driver.coreLimit}"
	case corev1.ResourceMemory, corev1.ResourceRequestsMemory, corev1.ResourceLimitsMemory:
		return "{driver.memory}, {driver.memoryOverhead}"
	case corev1.ResourceCPU, corev1.ResourceRequestsCPU, corev1.ResourceLimitsCPU:
		return "{driver.cores}, {driver.coreLimit}"
	default:
		return ""
	}
}

// refusal is how a kind of refusals is said: ${name} and ${said} stand for these fields of it; placeholders of fields of the spec are
// filled before.
type refusal struct{ says, next string }

const (
	fullEtcd = "etcd, the database of the cluster, is over its space quota (alarm NOSPACE), so that the API server creates and changes nothing"
	mendEtcd = "ask the admin of the cluster to raise --quota-backend-bytes of etcd (2 GiB if not set), compact and defrag it, and then to " +
		"run etcdctl alarm disarm"

	makeRoom     = "free or raise quota ${name}, or ask for less: ${less}"
	withinLimits = "raise the LimitRange of the namespace, or keep within it: ${within}"
	secure       = "set the securityContext that Pod Security asks for in spec.driver and spec.executor, or relax the label of the namespace"
)

func refusalText(kind mechanism.RefusalKind) refusal {
	return map[mechanism.RefusalKind]refusal{
		mechanism.EtcdFull:            {fullEtcd + " (${said})", mendEtcd},
		mechanism.PodSecurityRefuses:  {"Pod Security admission refused ${refused}: it violates ${name}: ${said}", secure},
		mechanism.QuotaExceeded:       {"ResourceQuota ${name} has no room for ${pod}: ${said}", makeRoom},
		mechanism.QuotaExceededUntold: {"ResourceQuota ${name} has no room for ${pod}", makeRoom},
		mechanism.QuotaCountsUnset: {"ResourceQuota ${name} refuses ${pod}: ${said}",
			"set the resource that the quota counts: {driver.coreLimit} and {executor.coreLimit} for limits.cpu"},
		mechanism.WebhookDenies: {"admission webhook ${name} refused ${refused}: ${said}",
			"change what the policy names in the spec, or ask its owners for an exception"},
		mechanism.PolicyDenies: {"ValidatingAdmissionPolicy ${name} refused ${refused}: ${said}",
			"change what the policy names in the spec, or ask its owners for an exception"},
		mechanism.WebhookUncalled: {"webhook ${name} could not be called (${said})", ""}, // what to do: callable
		mechanism.AccountMissing: {"service account ${name} does not exist: ${said}",
			"create service account ${name}, or name one that exists in {spec.driver.serviceAccount}"},
		mechanism.PriorityClassMissing: {"PriorityClass ${name} does not exist (not found)",
			"create PriorityClass ${name}, or correct {driver.priorityClassName}"},
		mechanism.FinalizersForbidden: {"its service account may not update ${owner}, which the API server asks of who makes an object that " +
			"blocks the deletion of its owner (blockOwnerDeletion)",
			"add update on ${owner} (apiGroup ${group}) to the operator's ClusterRole; it tries again by itself"},
		mechanism.NotPermitted: {"${user} may not ${verb} ${resource} in namespace ${namespace} (forbidden)",
			"add ${verb} on ${resource} in namespace ${namespace} to a Role that is bound to ${user}"},
		mechanism.LimitRangeRefuses: {"a LimitRange of the namespace refused ${refused}: ${said}", withinLimits},
		mechanism.Forbidden:         {"the API server refused ${refused} (forbidden): ${said}", "change what the message names"},
		mechanism.Invalid:           {"the API server found ${name} invalid: ${said}", "correct the field that the message names"},
		mechanism.LeftOver:          {"${name} of an earlier run already exists", "delete ${name}, or submit under another name"},
		mechanism.HostUnresolved: {"spark-submit could not resolve the name ${name} (DNS)",
			"check DNS from the operator's pod"},
		mechanism.PackageUnresolved: {"spark-submit could not resolve the package ${name}",
			"correct {spec.deps.packages}, or make its repository reachable from the operator"},
		mechanism.SubmitLacksClass: {"spark-submit in the operator lacks class ${name}",
			"add the jar to the operator's image, or use a scheme that it knows"},
		mechanism.CredentialsUnaccepted: {"the API server did not accept the operator's credentials: ${said}",
			"restart the operator and check its service account"},
		mechanism.APIServerUnreachable: {"spark-submit could not connect: ${said}",
			"check the network from the operator's pod to the address"},
	}[kind]
}
