package words

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// OfChange says where the new value of a field comes from. The operator changes no pods of a SparkConnect that exist (internal/controller/
// sparkconnect/reconciler.go@v2.5.2).
func OfChange(c *change.Change) string {
	because := reason(c)
	if c.Object.Kind == "SparkConnect" && because != "" {
		because += "; it takes effect once the server pod is deleted"
	}
	if c.Stops && because != "" {
		because += "; the change restarts the run"
	}
	return because
}

// fitsNode is a node, and what it has for a pod.
func fitsNode(r change.FitsNode) string {
	of := corev1.ResourceName(r.Of)
	amount := phrase.Amount(r.Most, of) + " " + nounOf(of)
	if !r.Counted {
		return fmt.Sprintf("%s has %s; a tenth is left to pods that were not seen", r.Node, amount)
	}
	most := "which has the most room"
	switch {
	case r.Some:
		most = "the largest that was seen"
	case r.Chosen:
		most = "which has the most room of the nodes for it"
	}
	return fmt.Sprintf("%s, %s, has %s free", r.Node, most, amount)
}

// capability is what a queue may have of resources.
func capability(short []mechanism.QueueShort) string {
	out := make([]string, 0, len(short))
	for i := range short {
		out = append(out, string(short[i].Resource)+" "+short[i].Most.String())
	}
	return strings.Join(out, ", ")
}

func reason(c *change.Change) string {
	switch r := c.Because.(type) {
	case change.Scaled:
		return scaled(r)
	case change.FitsNode:
		return fitsNode(r)
	case change.FitsQuota:
		return fmt.Sprintf("so many fit ResourceQuota %s (%s)", r.Quota, r.Resource)
	case change.LeftOfQuota:
		return fmt.Sprintf("ResourceQuota %s has no more left (%s)", r.Quota, r.Resource)
	case change.FitsQueue:
		return fmt.Sprintf("so many fit queue %s (%s), or raise its spec.capability", r.Queue, capability(r.Short))
	case change.FitsRange:
		return "LimitRange " + r.LimitRange + " allows no more"
	case change.Counts:
		return fmt.Sprintf("ResourceQuota %s counts %s: each pod must set it", r.Quota, r.Resource)
	case change.Reaches:
		return "a limit is at least the request"
	case change.Tolerates:
		return fmt.Sprintf("%s with taint %s would take it", phrase.Counted(r.Nodes, "node"), r.Taint)
	case change.Labelled:
		return fmt.Sprintf("%s with %s would take it", phrase.Counted(r.Nodes, "node"), r.Label)
	case change.NearName:
		return fmt.Sprintf("%s %s does not exist; this one does", r.Kind, r.Absent)
	default:
		return otherReason(c)
	}
}

// otherReason is one that compares no sizes, and no names.
func otherReason(c *change.Change) string {
	switch r := c.Because.(type) {
	case change.RepeatsSuccess:
		return "Always repeats what succeeded"
	case change.LongerThanInterval:
		return fmt.Sprintf("the run took %s, and the schedule starts one every %s", age(r.Took), age(r.Interval))
	case change.HoldsQuota:
		return fmt.Sprintf("%s of the schedule hold ResourceQuota %s", phrase.Counted(r.Runs, "earlier run"), r.Quota)
	case change.HoldsWorkers:
		return fmt.Sprintf("%d Python workers at once × %s, which one held when it was killed, and %d MiB for the JVM; fewer cores need less",
			r.Workers, phrase.Amount(r.Each, corev1.ResourceMemory), r.JVM)
	case change.HoldsHeap:
		return "the heap of " + r.Heap + ", and 10 % or 384 MiB beside it"
	case change.NearKey:
		return "the key that Secret " + r.Secret + " has"
	case change.SplitsSkew:
		return "Spark then splits a skewed partition of a join; for other stages, salt or filter the most frequent key"
	case change.KnownPort:
		return "the port that Services and network policies of Spark's driver have"
	case change.AllowedPort:
		return "NetworkPolicy " + r.Policy + " lets executors connect to it"
	case change.SharesGPU:
		return fmt.Sprintf("%d executors share the GPU of node %s; one that starts later gets its part of what is left", r.Executors, r.Node)
	case change.OwnPort:
		return ownPort(r)
	case change.FitsRelease:
		return "the release that fits " + baseText(r.Base)
	case change.SecondSDK:
		return "Hadoop 3.4 has AWS SDK 2, and no class of that name"
	case change.Outgrown:
		return fmt.Sprintf("%s were full after %d of %d tasks of the stage", r.Limit.String(), r.Tasks.Done, r.Tasks.Of)
	case change.RanOn:
		return "it ran on " + r.Arch + " nodes"
	case change.Offered:
		return "a NodePool must offer such nodes to the driver"
	case change.HoldsClass:
		return "it has the class"
	case change.AsksAtFirst:
		return fmt.Sprintf("dynamic allocation asks for %d at the start, and for %d at most (%s)", r.First, r.Most, r.Setting)
	case change.AsksAtMost:
		return fmt.Sprintf("Spark asks for %d at most (%s)", r.Most, r.Setting)
	case change.OfExecutors:
		return "executors have it"
	case change.OffMemory:
		return "scratch files then go to disk; or leave them in memory and raise memoryOverhead by what they take"
	default:
		return whatExists(c)
	}
}

// whatExists is a reason that is there to be seen: what the other role, the store or the Service has.
func whatExists(c *change.Change) string {
	switch r := c.Because.(type) {
	case change.KeepsNode:
		if r.Misplaced {
			return "the application has it in its own metadata, which its pods do not get"
		}
		return "who removed the node waits for pods that have it"
	case change.OtherRoleHas:
		return "the " + string(r.Role) + " has it"
	case change.OwnHost:
		return "the store has one host for all buckets"
	case change.ServiceIs:
		return "the Service is in namespace " + r.Namespace
	case change.ReadByShell:
		return "bash leaves what is in single quotes as it is; operators after 2.5.2 quote it themselves"
	case change.StartsAlone:
		return "the JVM then starts at once, and a debugger may connect later"
	case change.HasCharacters:
		return "the images of most distributions have this UTF-8 locale; -Dfile.encoding does not help"
	case change.ReachesAPI:
		return "pods get their token and the API server's CA certificate by it"
	case change.ServicePort:
		return "the only port of Service " + r.Service
	default:
		return allowed(c)
	}
}

// allowed is a reason about who may do something, and who is let in.
func allowed(c *change.Change) string {
	switch r := c.Because.(type) {
	case change.ReadsToken:
		return "it reads the token of service account " + r.Account
	case change.HasRole:
		return "it names " + r.Role
	case change.RunsExecutors:
		return runsIt(r)
	case change.DriverHas:
		return "the driver has it"
	case change.AsDriver:
		return "the driver has it, and the policy let that pass"
	case change.AsksFor:
		return r.Policy + " asks for it; it is as many as spec.driver.cores"
	default:
		return ""
	}
}

// ownPort says which port Spark takes then, and what else a policy must allow.
func ownPort(r change.OwnPort) string {
	if r.Policy == "" {
		return fmt.Sprintf("%d is allowed, which Spark takes by itself", r.Port)
	}
	if r.Instead == 0 {
		return fmt.Sprintf("then it is %d, which NetworkPolicy %s allows", r.Port, r.Policy)
	}
	var ends []string
	if r.Egress {
		ends = append(ends, "egress")
	}
	if r.Ingress {
		ends = append(ends, "ingress")
	}
	return fmt.Sprintf("then it is %d, which NetworkPolicy %s allows; or add TCP port %d to its %s", r.Port, r.Policy, r.Instead,
		strings.Join(ends, " and "))
}

func runsIt(r change.RunsExecutors) string {
	text := fmt.Sprintf("%s %s lets it run executors", r.Kind, r.Binding)
	if r.Meant {
		text = "sparkConf names it for the driver, and " + text
	}
	return text
}

func scaled(r change.Scaled) string {
	times := strconv.FormatFloat(r.Times, 'f', -1, 64) + " × "
	switch r.Of {
	case change.OfLimit:
		return times + "the limit of " + r.Value + "; no peak was measured"
	case change.OfNeeded:
		return times + "the " + r.Value + " that its message names"
	default:
		return times + "the present value; no peak was measured"
	}
}

func nounOf(resource corev1.ResourceName) string {
	if resource == corev1.ResourceCPU {
		return "CPU"
	}
	return string(resource)
}
