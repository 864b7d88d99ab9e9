package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Interruption is a cloud provider that ends the machine of a node, as Karpenter was told before it drained that node. Zero: none was told.
// No annotation of a pod holds it off ("Pod-Level Controls" in website/content/en/docs/concepts/disruption.md of
// aws/karpenter-provider-aws@007cee4).
type Interruption struct {
	Told bool
	Spot bool // the provider takes a spot machine back; else it stops or maintains one
}

// The events of a node, and SpotInterrupted of its pods, too (pkg/controllers/interruption/events/events.go of
// aws/karpenter-provider-aws@1dea438).
const (
	spotInterrupted = "SpotInterrupted"
	onInterruption  = "TerminatingOnInterruption"
)

// interruption is that of the node of a pod which an event says was removed, and the events that tell of it. What Karpenter does by its own
// choice looks alike: it names the reason at the node (DisruptionTerminating) and at the pod. So do a recommendation to rebalance, which it
// does not follow, and a machine that terminates, as each does at the end (InstanceTerminating).
func (v *View) interruption(pod string, removed app.Event) (Interruption, []cause.Proof) {
	node := v.nodeOf(pod)
	inTime := func(e app.Event) bool {
		return !e.First.After(removed.Last) && removed.Last.Sub(e.Last) < around
	}
	before := func(kind, name string, reasons ...string) []app.Event {
		return slices.DeleteFunc(v.eventsOn(kind, name, reasons...), func(e app.Event) bool { return !inTime(e) })
	}
	chosen := chosenByKarpenter(removed.Message) || len(before("Node", node, "DisruptionTerminating")) > 0
	if removerOf(removed.Source, "") != Karpenter || chosen {
		return Interruption{}, nil
	}
	told := append(before("Node", node, spotInterrupted, onInterruption), before("Pod", pod, spotInterrupted)...)
	var out Interruption
	var seen []cause.Proof
	for _, e := range told {
		out.Told, out.Spot = true, out.Spot || e.Reason == spotInterrupted
		seen = append(seen, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
	}
	return out, seen
}

// chosenByKarpenter reports whether it says of an eviction that it chose to end the node: because its pods fit elsewhere, it is empty, or
// it is not as its NodePool wants it. Of others it says "Forceful Termination" (evictionReason in pkg/controllers/node/termination/
// terminator/eviction.go of kubernetes-sigs/karpenter@062e604; the reasons: pkg/apis/v1/nodepool.go).
func chosenByKarpenter(says string) bool {
	for _, reason := range []string{"Underutilized", "Empty", "Drifted"} {
		if strings.HasSuffix(strings.TrimSpace(says), ": "+reason) {
			return true
		}
	}
	return false
}

// onDemand adds a selector of nodes that are not spot nodes, where no such node was seen but Karpenter makes them: it gives each node
// this label (CapacityTypeLabelKey in pkg/apis/v1/labels.go of kubernetes-sigs/karpenter).
func onDemand(s Spot) Spot {
	if s.StaysKey == "" {
		s.StaysKey, s.StaysValue = "karpenter.sh/capacity-type", "on-demand"
	}
	return s
}
