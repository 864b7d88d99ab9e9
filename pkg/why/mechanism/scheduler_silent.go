package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SchedulerSilent is a pod that asks for another scheduler than that of Kubernetes, of which none has said anything. A scheduler that finds
// no node writes the condition PodScheduled (kubernetes pkg/scheduler/schedule_one.go@v1.36.3), and those of others do, too.
type SchedulerSilent struct {
	Waiting

	Scheduler string
}

// Mechanism returns its ID.
func (SchedulerSilent) Mechanism() cause.ID { return "scheduler-silent" }

func (d SchedulerSilent) alike(string) waitingDetail {
	return SchedulerSilent{Waiting: d.since(), Scheduler: d.Scheduler}
}

func schedulerSilent(w *waiter) (cause.Cause, bool) {
	name := w.pod.Spec.SchedulerName
	if w.For < patience || w.pod.Spec.NodeName != "" || name == "" || name == corev1.DefaultSchedulerName ||
		condition(w.pod, corev1.PodScheduled) != nil {
		return cause.Cause{}, false
	}
	c := w.cause(cause.Scheduling, w.byContainers(), SchedulerSilent{Waiting: w.Waiting, Scheduler: name},
		cause.Proof{Object: Ref(w.pod), Field: "spec.schedulerName", Value: name})
	c.Certainty = check.Likely
	return c, true
}
