package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SchedulingGated is a pod that no scheduler looks at before a controller takes its gates away, as that of a queue does with pods that it
// has not admitted. A pod that the scheduler looked at and found no node for has another reason in the same condition
// (PodReasonSchedulingGated and PodReasonUnschedulable in k8s.io/api/core/v1/types.go@v0.36.3).
type SchedulingGated struct {
	Waiting

	Gates []string
}

// Mechanism returns its ID.
func (SchedulingGated) Mechanism() cause.ID { return "scheduling-gated" }

func (d SchedulingGated) alike(string) waitingDetail {
	return SchedulingGated{Waiting: d.since(), Gates: d.Gates}
}

func schedulingGated(w *waiter) (cause.Cause, bool) {
	if w.refused == nil || w.refused.Reason != corev1.PodReasonSchedulingGated {
		return cause.Cause{}, false
	}
	gates := make([]string, 0, len(w.pod.Spec.SchedulingGates))
	for _, g := range w.pod.Spec.SchedulingGates {
		gates = append(gates, g.Name)
	}
	c := w.cause(cause.Quota, cause.ByPod, SchedulingGated{Waiting: w.Waiting, Gates: gates}, w.byScheduler()...)
	c.Certainty = check.Likely
	return c, true
}
