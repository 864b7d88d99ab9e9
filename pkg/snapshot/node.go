package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Node is a node on which a driver is that does not seem to run.
type Node struct {
	Object
	Ready           string // status of the condition Ready: True, False, or Unknown when its kubelet says nothing any more
	ReadySince      time.Time
	Reason, Message string // of that condition
}

func nodeFrom(n *corev1.Node, loc Location) Node {
	out := Node{Object: objectFrom("v1", "Node", &n.ObjectMeta, loc)}
	for i := range n.Status.Conditions {
		if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady {
			out.Ready, out.ReadySince = string(c.Status), c.LastTransitionTime.UTC()
			out.Reason, out.Message = c.Reason, excerpt(c.Message, keptMessage)
		}
	}
	return out
}

// Nodes returns those of drivers that do not seem to run; from files, all.
func (s *Snapshot) Nodes() []Node { return read[Node](s, Nodes) }
