package app

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// NarrowPod is a pod of a scan in the form that mechanisms read, as far as its record tells: what ended it from outside, and how its
// containers ended or what they wait for. A record keeps nothing else of a pod: what its conditions say beside their reasons, what its
// containers ask for, its volumes, its node and when it started were not seen. It is made for one pod at a time: a scan holds 100,000.
func NarrowPod(p *snapshot.Pod) *corev1.Pod {
	out := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, UID: types.UID(p.UID)}}
	out.Status.Phase = corev1.PodPhase(p.Phase)
	t := p.Trouble
	if t == nil {
		return out
	}
	out.Status.Reason, out.Status.Message = t.Reason, t.Message
	if t.Disruption != "" {
		out.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: t.Disruption}}
	}
	for i := range t.Containers {
		c := &t.Containers[i]
		status := corev1.ContainerStatus{Name: c.Name, Image: c.Image}
		if c.Ended {
			status.State.Terminated = &corev1.ContainerStateTerminated{
				ExitCode: int32(c.ExitCode), //nolint:gosec // from 0 to 255
				Reason:   c.Reason, Message: c.Message, FinishedAt: metav1.NewTime(c.Finished)}
		} else {
			status.State.Waiting = &corev1.ContainerStateWaiting{Reason: c.Reason, Message: c.Message}
		}
		switch {
		case c.Init:
			out.Status.InitContainerStatuses = append(out.Status.InitContainerStatuses, status)
			continue
		case slices.Contains(snapshot.SparkContainers(p.Role()), c.Name): // no other is taken for it: most are not in the record
			out.Spec.Containers = append(out.Spec.Containers, corev1.Container{Name: c.Name, Image: c.Image})
		}
		out.Status.ContainerStatuses = append(out.Status.ContainerStatuses, status)
	}
	return out
}
