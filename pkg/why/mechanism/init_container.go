package mechanism

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// InitContainer is an init container that failed and ended its pod, so that Spark never started. While the pod is pending, the kubelet
// tries it again. Which of both it is, the phase of the pod says (pkg/kubelet/kubelet_pods.go@v1.36.3).
type InitContainer struct {
	Server bool // in the pod of a server of Spark Connect
	Name   string
	Code   int
	Reason string // as the kubelet wrote it
	Said   string // by the container
	OOM    bool   // it exceeded its memory limit
	Limit  string // that limit, a quantity; empty: it has none
}

// Mechanism names what was found.
func (InitContainer) Mechanism() cause.ID { return "init-container" }

// initFailed is about an init container that ended a pod.
func initFailed(v *View, p *corev1.Pod) (cause.Cause, bool) {
	for _, c := range p.Status.InitContainerStatuses {
		t := c.State.Terminated
		if t == nil && p.Status.Phase == corev1.PodFailed { // else the kubelet tries it again
			t = c.LastTerminationState.Terminated
		}
		if t == nil || t.ExitCode == 0 || p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodSucceeded {
			continue
		}
		out := cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Certainty: check.Likely, Topics: ofCode(int(t.ExitCode)),
			Subject: Ref(p), InitContainer: c.Name, At: t.FinishedAt.UTC(),
			Evidence: v.alsoRecorded(cause.Proof{Object: Ref(p), Field: "status.initContainerStatuses[" + c.Name + "]", At: t.FinishedAt.UTC(),
				Value: phrase.WithMessage(fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode), strings.TrimSpace(t.Message))})}
		d := InitContainer{Server: v.IsConnect(), Name: c.Name, Code: int(t.ExitCode), Reason: t.Reason, Said: t.Message,
			OOM: t.Reason == snapshot.OOMKilled}
		if d.OOM {
			out.Class, out.Topics = cause.ClusterKilled, ofOOM
			out.Certainty = check.Proven
			d.Limit = initLimit(p, c.Name)
		}
		out.Detail = d
		return out, true
	}
	return cause.Cause{}, false
}

// initLimit is the memory limit of an init container; empty: it has none.
func initLimit(p *corev1.Pod, name string) string {
	for i := range p.Spec.InitContainers {
		if q, has := p.Spec.InitContainers[i].Resources.Limits[corev1.ResourceMemory]; has && p.Spec.InitContainers[i].Name == name {
			return q.String()
		}
	}
	return ""
}
