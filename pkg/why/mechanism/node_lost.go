package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LostNode is a pod whose node was shut down, rebooted or removed under it, or did not answer any more: by its status, by a taint, or by
// an event of the node around its end. Where the node is not ready and the pod still counts as running, it is NodeNotReady. A shutdown is
// written by pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go@v1.36.3, a node that is gone by pkg/controller/podgc/gc_controller.go.
type LostNode struct {
	Removal

	Spot     Spot          // of a driver
	Vanished bool          // the cloud has its machine no more
	Held     time.Duration // how long ago the application was deleted, which waits for the pod; 0: it does not
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
	if a := v.Application; a != nil && a.DeletionTimestamp != nil && slices.Contains(a.Finalizers, metav1.FinalizerDeleteDependents) {
		d.Held = max(time.Second, v.Now.Sub(a.DeletionTimestamp.UTC()))
	}
	return v.endedBy(end, d, 0, more...)
}

// deletingNode is the reason of the event of a node whose machine is gone, and that the cluster forgets therefore (staging/src/k8s.io/
// cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go of kubernetes/kubernetes@v1.36.3).
const deletingNode = "DeletingNode"

func goneNodeLost(v *View, e app.Event, pod string) cause.Cause {
	d := LostNode{Removal: v.goneRemoval(e, pod), Spot: v.chosenSpot()}
	if e.Reason == "NodeNotReady" {
		d.By, d.Asked = "", false // who writes it only watches
	}
	vanished := v.nodeEvents(d.Node, deletingNode)
	d.Vanished = len(vanished) > 0
	c := v.goneBy(e, pod, d, 0, v.nodeEvents(d.Node, "DisruptionTerminating")...)
	c.Evidence = append(vanished, c.Evidence...)
	return c
}
