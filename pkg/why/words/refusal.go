package words

import (
	"os"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Refused says what refused a submission, of which pod: "the driver".
func (t Terms) Refused(r *mechanism.Refusal, pod string) Phrase {
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
			return t.about(cause.DriverRole).sizes("{driver.memory}, {driver.memoryOverhead}, {driver.cores}, {driver.coreLimit}")
		case "within":
			return t.about(cause.DriverRole).sizes("{driver.memory} and {driver.memoryOverhead}, {driver.cores} and {driver.coreLimit}")
		case "owner":
			return ownerOf(pod)
		}
		if n, err := strconv.Atoi(name); err == nil && n < len(r.Said) {
			return r.Said[n]
		}
		return ""
	}
	text := refusalText(r.Kind)
	return Phrase{Says: os.Expand(text.says, fill), Do: []command.Command{command.Do("%s", os.Expand(t.filled(text.next), fill))}}
}

// ownerOf is the owner of what the operator makes, whose finalizers it must be allowed to update.
func ownerOf(pod string) string {
	if pod == "the driver" {
		return "sparkapplications/finalizers"
	}
	return "sparkconnects/finalizers"
}

// refusal is how a kind of refusals is said: ${1} stands for the first group of what it said, ${0} for all of it;
// placeholders of fields are filled before.
type refusal struct{ says, next string }

const (
	fullEtcd = "etcd, the database of the cluster, is over its space quota (alarm NOSPACE), so that the API server creates and changes nothing"
	mendEtcd = "ask the admin of the cluster to raise --quota-backend-bytes of etcd (2 GiB if not set), compact and defrag it, and then to " +
		"run etcdctl alarm disarm"

	makeRoom     = "free or raise quota ${1}, or ask for less: ${less}"
	withinLimits = "raise the LimitRange of the namespace, or keep within it: ${within}"
	secure       = "set the securityContext that Pod Security asks for in spec.driver and spec.executor, or relax the label of the namespace"
)

func refusalText(kind mechanism.RefusalKind) refusal {
	return map[mechanism.RefusalKind]refusal{
		mechanism.EtcdFull:            {fullEtcd + " (${0})", mendEtcd},
		mechanism.PodSecurityRefuses:  {"Pod Security admission refused ${refused}: it violates ${1}: ${2}", secure},
		mechanism.QuotaExceeded:       {"ResourceQuota ${1} has no room for ${pod}: ${2}", makeRoom},
		mechanism.QuotaExceededUntold: {"ResourceQuota ${1} has no room for ${pod}", makeRoom},
		mechanism.QuotaCountsUnset: {"ResourceQuota ${1} refuses ${pod}: ${2}",
			"set the resource that the quota counts: {driver.coreLimit} and {executor.coreLimit} for limits.cpu"},
		mechanism.WebhookDenies: {"admission webhook ${1} refused ${refused}: ${2}",
			"change what the policy names in the spec, or ask its owners for an exception"},
		mechanism.WebhookUncalled: {"webhook ${1} could not be called (${2})",
			"repair the webhook ${1}"},
		mechanism.AccountMissing: {"service account ${1} does not exist: ${2}",
			"create service account ${1}, or name one that exists in {spec.driver.serviceAccount}"},
		mechanism.PriorityClassMissing: {"PriorityClass ${1} does not exist (not found)",
			"create PriorityClass ${1}, or correct {driver.priorityClassName}"},
		mechanism.FinalizersForbidden: {"its service account may not update ${owner}, which the API server asks of who makes an object that " +
			"blocks the deletion of its owner (blockOwnerDeletion)",
			"add update on ${owner} (apiGroup sparkoperator.k8s.io) to the operator's ClusterRole; it tries again by itself"},
		mechanism.NotPermitted: {"${1} may not ${2} ${3} in namespace ${4} (forbidden)",
			"add ${2} on ${3} in namespace ${4} to a Role that is bound to ${1}"},
		mechanism.LimitRangeRefuses: {"a LimitRange of the namespace refused ${refused}: ${1}", withinLimits},
		mechanism.Forbidden:         {"the API server refused ${refused} (forbidden): ${1}", "change what the message names"},
		mechanism.Invalid:           {"the API server found ${1} invalid: ${2}", "correct the field that the message names"},
		mechanism.LeftOver:          {"${1} of an earlier run already exists", "delete ${1}, or submit under another name"},
		mechanism.HostUnresolved: {"spark-submit could not resolve the name ${1} (DNS)",
			"check DNS from the operator's pod"},
		mechanism.PackageUnresolved: {"spark-submit could not resolve the package ${1}",
			"correct {spec.deps.packages}, or make its repository reachable from the operator"},
		mechanism.SubmitLacksClass: {"spark-submit in the operator lacks class ${1}",
			"add the jar to the operator's image, or use a scheme that it knows"},
		mechanism.CredentialsUnaccepted: {"the API server did not accept the operator's credentials: ${0}",
			"restart the operator and check its service account"},
		mechanism.APIServerUnreachable: {"spark-submit could not connect: ${0}",
			"check the network from the operator's pod to the address"},
	}[kind]
}
