package mechanism

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NodeComing is a pod for which an autoscaler is adding a node (cluster-autoscaler core/utils, karpenter pkg/events). It looks like one for
// which it added a node in vain, of which a later event tells; and one that waits longer than a node takes to come waits for something
// else.
type NodeComing struct {
	Waiting

	Said string // by the autoscaler
}

// Mechanism returns its ID.
func (NodeComing) Mechanism() cause.ID { return "node-coming" }

func (d NodeComing) alike(pod string) waitingDetail { return NodeComing{Said: without(pod, d.Said)} }

// scaleUp is how long a new node may take (max-node-provision-time of cluster-autoscaler is 15 minutes).
const scaleUp = 15 * time.Minute

func nodeComing(w *waiter) (cause.Cause, bool) {
	if w.refused == nil {
		return cause.Cause{}, false
	}
	fails := scaleUpFails(w.View, w.pod)
	for _, e := range w.eventsOn("Pod", w.pod.Name, "TriggeredScaleUp", "Nominated") {
		failedSince := fails != nil && !fails.Last.Before(e.Last)
		if failedSince || w.Now.Sub(e.Last) > scaleUp {
			continue
		}
		c := w.cause(cause.SlowButProgressing, cause.ByPod, NodeComing{Waiting: w.Waiting, Said: e.Message}, append(w.byScheduler(),
			cause.Proof{Object: Ref(w.pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last})...)
		c.Certainty, c.Topics = check.Likely, ofMemory(namesMemory(e.Message))
		return c, true
	}
	return cause.Cause{}, false
}

// scaleUpFails is the last event in which an autoscaler says of a pod that its new node did not come: those of Google's clouds name the
// error of the cloud, cluster-autoscaler only that it waits after one (core/scaleup/orchestrator/skippedreasons.go of
// kubernetes/autoscaler@cluster-autoscaler-1.31.0).
func scaleUpFails(v *View, p *corev1.Pod) *app.Event {
	events := v.eventsOn("Pod", p.Name, "FailedScaleUp", "NotTriggerScaleUp")
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Reason == "FailedScaleUp" {
			return &events[i]
		}
	}
	for i := len(events) - 1; i >= 0; i-- {
		if strings.Contains(events[i].Message, "in backoff after failed scale-up") {
			return &events[i]
		}
	}
	return nil
}
