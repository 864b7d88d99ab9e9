package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ExecutorsOnSpot says that the executors run on nodes which their provider may take back at any time, where a stage runs again since
// others were lost. The nodes of those are gone, so that it does not say of them why they ended. Executors that were killed for memory look
// alike, and other nodes do not help them.
type ExecutorsOnSpot struct {
	Key, Value string // of the label of their nodes
	Executors  int    // that were seen on such nodes: all that have a node
}

// Mechanism names it.
func (ExecutorsOnSpot) Mechanism() cause.ID { return "executors-on-spot" }

// fewestOnSpot is how many executors tell where others ran.
const fewestOnSpot = 2

// OnSpot finds the label of the nodes of executors, where a stage runs again for others that something ended from outside.
func OnSpot(v *View) (cause.Cause, bool) {
	outside := []logs.LossReason{logs.NoSign, logs.Terminated, logs.Signalled, logs.PodDeleted, logs.Decommissioned, logs.Evicted}
	if v.Work.Rerun == nil || !slices.Contains(outside, v.Work.Rerun.Lost.Reason) {
		return cause.Cause{}, false
	}
	var d ExecutorsOnSpot
	var proofs []cause.Proof
	for _, p := range v.Executors {
		node := v.Node(p.Spec.NodeName)
		if p.Spec.NodeName == "" {
			continue
		}
		if node == nil {
			return cause.Cause{}, false
		}
		key, value := spotLabel(node.Labels)
		if key == "" || d.Key != "" && key != d.Key {
			return cause.Cause{}, false
		}
		d.Key, d.Value = key, value
		d.Executors++
		proofs = append(proofs, cause.Proof{Object: nodeRef(node), Field: "metadata.labels[" + key + "]", Value: value})
	}
	if d.Executors < fewestOnSpot {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.SlowButProgressing, Role: cause.DriverRole, Subject: v.AppRef(), Trust: cause.ByEnvironment, Detail: d,
		Evidence: proofs[:1]}, true
}
