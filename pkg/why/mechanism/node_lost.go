package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LostNode is a pod whose node was shut down, rebooted or removed under it, or did not answer any more: by its status, by a taint, or by
// an event of the node around its end. Where the node is not ready and the pod still counts as running, it is NodeNotReady. A shutdown is
// written by pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go@v1.36.3, a node that is gone by pkg/controller/podgc/gc_controller.go.
type LostNode struct {
	Removal

	Spot Spot // of a driver
}

// Mechanism names what was found.
func (LostNode) Mechanism() cause.ID { return "node-lost" }

func driverNodeLost(v *View, p *corev1.Pod, end End) cause.Cause {
	d, more := LostNode{Removal: v.removed(p, end), Spot: v.spot(p)}, v.nodeEvents(p.Spec.NodeName, "NodeNotReady")
	if d.Spot.Is() {
		seen := cause.Proof{Object: Ref(p), Field: "spec.nodeSelector[" + d.Spot.Key + "]", Value: d.Spot.Value}
		if n := v.Node(p.Spec.NodeName); n != nil {
			seen.Object, seen.Field = nodeRef(n), "metadata.labels["+d.Spot.Key+"]"
		}
		more = append(more, seen)
	}
	return v.endedBy(end, d, 0, more...)
}

func goneNodeLost(v *View, e app.Event, pod string) cause.Cause {
	return v.goneBy(e, pod, LostNode{Removal: v.goneRemoval(e, pod)}, 0, v.nodeEvents(v.nodeOf(pod), "DisruptionTerminating")...)
}
