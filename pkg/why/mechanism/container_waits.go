package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// waitingContainer is a container that the kubelet says of why it waits.
type waitingContainer struct {
	*corev1.ContainerStatus

	evidence []cause.Proof
	pulling  string // what an event says of its image, the last; empty: nothing
}

// containerWaits is about the first container that waits for something which does not come by itself. The kubelet also has reasons for
// those whose turn has not come: ContainerCreating, PodInitializing (kubernetes pkg/kubelet/images/types.go,
// pkg/kubelet/container/sync_result.go@v1.36.3).
func containerWaits(w *waiter) (cause.Cause, bool) {
	all := w.containers()
	for i := range all {
		if all[i].State.Waiting == nil {
			continue
		}
		s := w.waitingContainer(&all[i])
		switch all[i].State.Waiting.Reason {
		case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable",
			"SignatureValidationFailed":
			return imagePull(w, s), true
		case "CrashLoopBackOff":
			return containerCrashes(w, s.ContainerStatus, s.evidence), true
		case "", "ContainerCreating", "PodInitializing":
		default:
			return containerUnmade(w, s), true
		}
	}
	return cause.Cause{}, false
}

func (w *waiter) waitingContainer(s *corev1.ContainerStatus) waitingContainer {
	out := waitingContainer{ContainerStatus: s, evidence: []cause.Proof{{Object: Ref(w.pod),
		Field: "status.containerStatuses[" + s.Name + "].state.waiting",
		Value: stated(s.State.Waiting.Reason, s.State.Waiting.Message)}}}
	for _, e := range w.eventsOn("Pod", w.pod.Name, "Failed", "InspectFailed", "ErrImageNeverPull") {
		if strings.HasPrefix(e.Message, "Failed to pull") || strings.HasPrefix(e.Message, "Failed to apply default image") ||
			strings.Contains(e.Message, "is not present with pull policy") {
			out.pulling = e.Message
			out.evidence = append(out.evidence, cause.Proof{Object: Ref(w.pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	return out
}

// byContainers is how directly it was seen that no container of the pod started.
func (w *waiter) byContainers() cause.Trust {
	if slices.ContainsFunc(w.containers(), func(s corev1.ContainerStatus) bool { return s.State.Waiting != nil }) {
		return cause.ByContainer
	}
	return cause.ByPod
}
