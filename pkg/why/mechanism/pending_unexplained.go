package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// patience is for how long a pod may be pending without a word from the scheduler or the kubelet.
const patience = 10 * time.Minute

// PendingUnexplained is a pod of which nothing that was seen says why it has not started. A scheduler says it by the condition
// PodScheduled, a kubelet by the states of containers (staging/src/k8s.io/api/core/v1/types.go@v1.36.3).
type PendingUnexplained struct {
	Waiting

	Unplaced bool // neither a scheduler nor a kubelet has said anything of it
}

// Mechanism returns its ID.
func (PendingUnexplained) Mechanism() cause.ID { return "pending-unexplained" }

func (d PendingUnexplained) alike(string) waitingDetail {
	return PendingUnexplained{Waiting: d.since()}
}

func pendingUnexplained(w *waiter) cause.Cause {
	class := cause.SlowButProgressing
	if w.For >= patience {
		class = cause.Unknown
	}
	c := w.cause(class, w.byContainers(), PendingUnexplained{Waiting: w.Waiting,
		Unplaced: w.pod.Spec.NodeName == "" && condition(w.pod, corev1.PodScheduled) == nil && len(w.containers()) == 0})
	c.Certainty = check.Likely
	return c
}
