package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func nodeRef(n *corev1.Node) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: n.Name, UID: string(n.UID)}
}

// alsoRecorded adds what the operator wrote to what was seen. Beside what the kubelet recorded it proves nothing more.
func (v *View) alsoRecorded(seen ...cause.Proof) []cause.Proof {
	if v.Message == "" {
		return seen
	}
	return append(seen, cause.Proof{Object: v.AppRef(), Field: v.MessageField(), Value: v.Message, Beside: len(seen) > 0})
}

// nodeEvents are those of a node for a reason.
func (v *View) nodeEvents(name, reason string) []cause.Proof {
	var out []cause.Proof
	for _, e := range v.eventsOn("Node", name, reason) {
		out = append(out, cause.Proof{Object: e.Involved, Field: "event " + reason, Value: e.Message, At: e.Last})
	}
	return out
}
