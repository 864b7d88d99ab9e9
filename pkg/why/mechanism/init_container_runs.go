package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// InitContainerRuns is a pod whose init container has not come to an end. What it waits for only its log can say. A native sidecar that
// has started runs as it should; one that was restarted crashes. Which is which, restartPolicy of the init container says
// (staging/src/k8s.io/api/core/v1/types.go@v1.36.3).
type InitContainerRuns struct {
	Waiting

	Container string
	Running   time.Duration // how long
}

// Mechanism returns its ID.
func (InitContainerRuns) Mechanism() cause.ID { return "init-container-runs" }

func (d InitContainerRuns) alike(string) waitingDetail {
	return InitContainerRuns{Container: d.Container, Running: roughly(d.Running)}
}

func initContainerRuns(w *waiter) (cause.Cause, bool) {
	for i := range w.pod.Status.InitContainerStatuses {
		s := &w.pod.Status.InitContainerStatuses[i]
		r, beside := s.State.Running, sidecar(w.pod, s.Name)
		started := s.Started == nil || *s.Started
		sidecarRuns := beside && started
		if r == nil || sidecarRuns {
			continue
		}
		if beside && s.RestartCount > 0 {
			c := containerCrashes(w, s, nil)
			c.At = r.StartedAt.UTC()
			return c, true
		}
		c := w.cause(cause.Unknown, cause.ByContainer, InitContainerRuns{Waiting: w.Waiting, Container: s.Name,
			Running: w.Now.Sub(r.StartedAt.Time)}, cause.Proof{Object: Ref(w.pod),
			Field: "status.initContainerStatuses[" + s.Name + "].state.running",
			Value: "since " + r.StartedAt.UTC().Format("15:04:05"), At: r.StartedAt.UTC()})
		c.Certainty, c.Effect = check.Likely, true
		c.At = r.StartedAt.UTC()
		c.InitContainer = s.Name
		return c, true
	}
	return cause.Cause{}, false
}
