package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// driverPending is why the driver has not started.
func driverPending(v *View) []cause.Cause {
	if v.Driver == nil {
		return nil
	}
	if c, is := pending(v, v.Driver, Who{Role: cause.DriverRole}); is {
		return []cause.Cause{c}
	}
	return nil
}

// pending is why a pod has not started: the scheduler, a container that waits, or a volume.
func pending(v *View, p *corev1.Pod, who Who) (cause.Cause, bool) {
	return pendingAs(v, p, Waiting{Who: who})
}

func pendingAs(v *View, p *corev1.Pod, as Waiting) (cause.Cause, bool) {
	if p.Status.Phase != corev1.PodPending {
		return cause.Cause{}, false
	}
	as.For = v.Now.Sub(p.CreationTimestamp.Time)
	w := &waiter{View: v, pod: p, Waiting: as}
	if s := condition(p, corev1.PodScheduled); s != nil && s.Status == corev1.ConditionFalse {
		w.refused, w.says = s, placement(s.Message)
	}
	for _, find := range []func(*waiter) (cause.Cause, bool){
		schedulingGated, volumeWanted, nodeComing, placeholdersSmaller, volumesFull, unschedulable, queueFull,
		containerWaits, initContainerRuns, volumeUnmounted, imagePulls, schedulerSilent,
	} {
		if c, is := find(w); is {
			return c, true
		}
	}
	return pendingUnexplained(w), true
}

// NotStarted is why a pod of a scan has not started, by what the scan keeps of it (app.NarrowPod) and by the events about it, oldest first.
func NotStarted(now time.Time, p *corev1.Pod, events []app.Event) (cause.Cause, bool) {
	v := &View{Evidence: &app.Evidence{Now: now, Subject: Ref(p)}, Events: events}
	if c, failed := initFailed(v, p); failed {
		return c, true
	}
	return pendingAs(v, p, Waiting{})
}

// waiter is a pod that has not started, as the mechanisms look at it that may hold it back.
type waiter struct {
	*View
	Waiting

	pod     *corev1.Pod
	refused *corev1.PodCondition // PodScheduled, where the scheduler found no node; nil: it did, or says nothing
	says    Placement            // its message
}

// waitingDetail is the detail of a pod that has not started.
type waitingDetail interface {
	cause.Detail
	alike(pod string) waitingDetail // what other pods may have in common with the one of that name
}

// cause is one about the pod since it was created.
func (w *waiter) cause(class cause.Class, trust cause.Trust, d waitingDetail, evidence ...cause.Proof) cause.Cause {
	return cause.Cause{Class: w.class(class), Role: w.Who.Role, Subject: Ref(w.pod), At: w.pod.CreationTimestamp.UTC(), Trust: trust,
		Detail: d, Evidence: evidence}
}

// class is that of the job. With executors at work it gets on without the others, for which room may come free. A volume that cannot be
// attached to its node, or an image that cannot be pulled, does not heal by waiting.
func (w *waiter) class(of cause.Class) cause.Class {
	if w.Others.Running == 0 {
		return of
	}
	beforeNode := of == cause.Storage && w.pod.Spec.NodeName == ""
	if of == cause.Scheduling || of == cause.Quota || beforeNode {
		return cause.SlowButProgressing
	}
	return of
}

// byScheduler is the first evidence of what keeps a scheduler from placing the pod: its condition, and what events say of it.
func (w *waiter) byScheduler() []cause.Proof {
	s, ref := w.refused, Ref(w.pod)
	out := []cause.Proof{{Object: ref, Field: "status.conditions[PodScheduled]", Value: s.Reason + ": " + s.Message,
		At: s.LastTransitionTime.UTC()}}
	for _, e := range w.eventsOn("Pod", w.pod.Name, "FailedScheduling", "Unschedulable", "NotTriggerScaleUp", "Queued", "TaskGroupAccepted",
		"Rejected") {
		out = append(out, cause.Proof{Object: ref, Field: "event " + e.Reason, Value: e.Message, At: e.Last,
			Beside: strings.TrimSpace(e.Message) == strings.TrimSpace(s.Message)})
	}
	return out
}

// containers are the states of all containers, those that run first ahead.
func (w *waiter) containers() []corev1.ContainerStatus {
	return slices.Concat(w.pod.Status.InitContainerStatuses, w.pod.Status.ContainerStatuses)
}
