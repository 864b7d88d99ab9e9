package app

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// NarrowPod is a pod of a scan in the form that mechanisms read, as far as its record tells: what keeps it from a node, what ended it from
// outside, and how its containers ended or what they wait for. A record keeps nothing else of a pod: what its other conditions say beside
// their reasons, what its containers ask for, its volumes, its node and when it started were not seen. It is made for one pod at a time: a
// scan holds 100,000.
func NarrowPod(p *snapshot.Pod) *corev1.Pod {
	out := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, UID: types.UID(p.UID),
		CreationTimestamp: metav1.NewTime(p.Created)}}
	out.Status.Phase = corev1.PodPhase(p.Phase)
	t := p.Trouble
	if out.Status.Phase == corev1.PodPending {
		placed(out, t)
	}
	if t == nil {
		return out
	}
	if t.Scheduling == "" {
		out.Status.Message = t.Message
	}
	out.Status.Reason = t.Reason
	if t.Disruption != "" {
		out.Status.Conditions = append(out.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
			Reason: t.Disruption})
	}
	mains := snapshot.SparkContainers(p.Role())
	if p.Role() == roleOfServer {
		mains = snapshot.SparkContainers("driver")
	}
	for i := range t.Containers {
		c := &t.Containers[i]
		status := corev1.ContainerStatus{Name: c.Name, Image: c.Image}
		switch {
		case c.Ended:
			status.State.Terminated = &corev1.ContainerStateTerminated{
				ExitCode: int32(c.ExitCode), //nolint:gosec // from 0 to 255
				Reason:   c.Reason, Message: c.Message, FinishedAt: metav1.NewTime(c.Finished)}
		case c.Reason == snapshot.StillRunning:
			status.State.Running = &corev1.ContainerStateRunning{}
		default:
			status.State.Waiting = &corev1.ContainerStateWaiting{Reason: c.Reason, Message: c.Message}
		}
		switch {
		case c.Init:
			out.Status.InitContainerStatuses = append(out.Status.InitContainerStatuses, status)
			continue
		case slices.Contains(mains, c.Name): // no other is taken for it: most are not in the record
			out.Spec.Containers = append(out.Spec.Containers, corev1.Container{Name: c.Name, Image: c.Image})
		}
		out.Status.ContainerStatuses = append(out.Status.ContainerStatuses, status)
	}
	return out
}

// placed adds the condition that tells whether a pod that has not started has a node. A record says only why it has none.
func placed(out *corev1.Pod, t *snapshot.PodProblem) {
	of := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}
	if t != nil && t.Scheduling != "" {
		out.Spec.SchedulerName = t.Scheduler
		if t.Scheduling == snapshot.NoScheduler {
			return
		}
		of.Status = corev1.ConditionFalse
		of.Reason = t.Scheduling
		of.Message = t.Message
	}
	out.Status.Conditions = append(out.Status.Conditions, of)
}

// NarrowEvent is an event of a scan in the form that mechanisms read.
func NarrowEvent(e *snapshot.Event) Event {
	return Event{Type: corev1.EventTypeWarning, Reason: e.Reason, Message: e.Message, Involved: e.Involved, Count: max(1, e.Count),
		First: e.First, Last: e.Last}
}
