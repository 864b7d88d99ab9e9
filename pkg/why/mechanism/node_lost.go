package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LostNode is a pod whose node was shut down, rebooted or removed under it, or did not answer any more: by its status, by a taint, or by
// an event of the node around its end. Where the node is not ready and the pod still counts as running, it is NodeNotReady. A shutdown is
// written by pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go@v1.36.3, a node that is gone by pkg/controller/podgc/gc_controller.go.
type LostNode struct{ Removal }

// Mechanism names what was found.
func (LostNode) Mechanism() cause.ID { return "node-lost" }

func driverNodeLost(v *View, p *corev1.Pod, end End) cause.Cause {
	return v.endedBy(end, LostNode{v.removed(p, end)}, 0, v.nodeEvents(p.Spec.NodeName, "NodeNotReady")...)
}

func goneNodeLost(v *View, e app.Event, pod string) cause.Cause {
	return v.goneBy(e, pod, LostNode{v.goneRemoval(e, pod)}, 0, v.nodeEvents(v.nodeOf(pod), "DisruptionTerminating")...)
}
