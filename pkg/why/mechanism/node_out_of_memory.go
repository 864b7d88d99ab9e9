package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NodeOutOfMemory is a driver whose process the kernel killed when its node ran out of memory: 137, and not OOMKilled, which the kubelet
// writes of a process at the limit of its own container. An event of the node tells of it. SystemOOM is of
// pkg/kubelet/oom/oom_watcher_linux.go@v1.36.3, OOMKilling of the node problem detector.
type NodeOutOfMemory struct {
	Node string
}

// Mechanism names what was found.
func (NodeOutOfMemory) Mechanism() cause.ID { return "node-out-of-memory" }

func nodeOutOfMemory(v *View, d *exited) *cause.Cause {
	events := oomOnNode(v, d.pod, d.end)
	if len(events) == 0 || d.end.Code != 137 {
		return nil
	}
	return &cause.Cause{Class: cause.ClusterKilled, Role: cause.DriverRole, Certainty: check.Likely, Topics: cause.Memory,
		Detail: NodeOutOfMemory{Node: d.pod.Spec.NodeName}, Subject: d.end.Pod, At: d.end.At, Trust: cause.ByEvent,
		Evidence: append(d.seen, events...)}
}

// oomOnNode are events of the kernel about the node of a pod around its end.
func oomOnNode(v *View, p *corev1.Pod, end End) []cause.Proof {
	var out []cause.Proof
	for _, e := range v.eventsOn("Node", p.Spec.NodeName, "SystemOOM", "OOMKilling") {
		if d := e.Last.Sub(end.At); d > -30*time.Second && d < 30*time.Second {
			out = append(out, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	return out
}
