package mechanism

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NodeNotReady is a driver that has not ended, on a node that is lost: it counts as running, or its deletion gets no further, as no kubelet
// answers. One that was only deleted runs for its grace period on a node that is ready.
type NodeNotReady struct {
	Server   bool // of Spark Connect, which is the driver
	Node     string
	For      time.Duration
	Seen     bool   // the node was
	Says     string // its condition
	Deleting bool   // the pod is marked for deletion
}

// Mechanism names what was found.
func (NodeNotReady) Mechanism() cause.ID { return "node-not-ready" }

// lingering is about a driver that has not ended, on a node that is lost or that the pod is driven from.
func lingering(v *View, p *corev1.Pod) []cause.Cause {
	if p.Status.Phase != corev1.PodRunning {
		return nil
	}
	n := v.Node(p.Spec.NodeName)
	if n == nil {
		return unreachable(v, p)
	}
	for i := range n.Status.Conditions {
		r := &n.Status.Conditions[i]
		if r.Type != corev1.NodeReady || r.Status == corev1.ConditionTrue {
			continue
		}
		at := r.LastTransitionTime.UTC()
		seen := []cause.Proof{{Object: nodeRef(n), Field: "status.conditions[Ready]",
			Value: string(r.Status) + " " + r.Reason + ": " + r.Message, At: at}}
		for _, t := range n.Spec.Taints {
			if strings.HasSuffix(t.Key, "/unreachable") || strings.HasSuffix(t.Key, "/not-ready") {
				seen = append(seen, cause.Proof{Object: nodeRef(n), Field: "spec.taints", Value: t.Key + ":" + string(t.Effect)})
			}
		}
		return []cause.Cause{{Class: cause.ClusterKilled, Role: cause.DriverRole, Subject: Ref(p), At: at, Trust: cause.ByCondition,
			Detail: NodeNotReady{Server: v.IsConnect(), Node: n.Name, For: v.Now.Sub(at), Seen: true, Says: r.Message,
				Deleting: p.DeletionTimestamp != nil},
			Evidence: seen}}
	}
	return terminating(v, p)
}

// unreachable is about a driver whose node was not seen. The node controller alone marks a pod as not ready while its containers are
// (kubernetes pkg/controller/util/node/controller_utils.go, MarkPodsNotReady@v1.36.3).
func unreachable(v *View, p *corev1.Pod) []cause.Cause {
	ready, s := condition(p, corev1.PodReady), app.Container(p)
	if ready == nil || ready.Status == corev1.ConditionTrue || ready.Reason != "" || s == nil || !s.Ready {
		return nil
	}
	events := v.eventsOn("Pod", p.Name, "NodeNotReady")
	if len(events) == 0 {
		return nil
	}
	at, last := ready.LastTransitionTime.UTC(), events[len(events)-1]
	return []cause.Cause{{Class: cause.ClusterKilled, Role: cause.DriverRole, Subject: Ref(p), At: at, Trust: cause.ByPod,
		Detail: NodeNotReady{Server: v.IsConnect(), Node: p.Spec.NodeName, For: v.Now.Sub(at)},
		Evidence: []cause.Proof{{Object: Ref(p), Field: "status.conditions[Ready]", Value: "False, while its container is ready", At: at},
			{Object: Ref(p), Field: "event NodeNotReady", Value: last.Message, At: last.Last}}}}
}
