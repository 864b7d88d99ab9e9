package mechanism

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerUnready is a server that runs and whose pod is not ready. One that started a moment ago may become so. The kubelet sets the
// condition Ready, with what is not ready (pkg/kubelet/status/generate.go@v1.36.3).
type ServerUnready struct {
	Up      time.Duration
	Early   bool
	Said    string // by the kubelet: of a probe that fails, else of the condition
	Failing bool   // a probe fails
	// Listens says that the server does listen by its log, so that the probe asks for something else.
	Listens bool
	Port    string // that it opens
}

// Mechanism names it.
func (ServerUnready) Mechanism() cause.ID { return "server-unready" }

// SidecarDown is a server that runs and whose pod is not ready because another container of it does not run.
type SidecarDown struct{ Container string }

// Mechanism names it.
func (SidecarDown) Mechanism() cause.ID { return "sidecar-down" }

// starts is how long a server may take until it is ready.
const starts = 2 * time.Minute

func serverUnready(v *View) []cause.Cause {
	p := v.Driver
	if p == nil || !v.DriverRuns() || p.DeletionTimestamp != nil {
		return nil
	}
	ready := condition(p, corev1.PodReady)
	if ready == nil || ready.Status == corev1.ConditionTrue {
		return nil
	}
	if _, down := v.serverEnd(); down {
		return nil
	}
	c := cause.Cause{Class: cause.Unknown, Role: cause.DriverRole, Certainty: check.Likely, Effect: true, Trust: cause.ByPod,
		Subject: Ref(p), At: ready.LastTransitionTime.UTC(),
		Evidence: []cause.Proof{{Object: Ref(p), Field: "status.conditions[Ready]", At: ready.LastTransitionTime.UTC(),
			Value: stated(ready.Reason, ready.Message)}}}
	for _, s := range p.Status.ContainerStatuses {
		down := s.State.Waiting != nil || s.State.Terminated != nil
		if down && !s.Ready && s.Name != app.MainName(p) {
			c.Class, c.Trust = cause.Configuration, cause.ByContainer
			c.Effect = false
			c.Detail = SidecarDown{Container: s.Name}
			c.Evidence = append(c.Evidence, cause.Proof{Object: Ref(p), Field: "status.containerStatuses[" + s.Name + "]", Value: stateText(&s)})
			return []cause.Cause{c}
		}
	}
	unready := ServerUnready{Up: v.Now.Sub(v.serverStart()), Said: ready.Message, Port: v.grpcPort()}
	for _, e := range v.eventsOn("Pod", p.Name, "Unhealthy") {
		probe := failedProbe(e.Message)
		keepsUnready := probe == ReadinessFails || probe == StartupFails
		if !keepsUnready || e.Last.Before(v.serverStart()) {
			continue
		}
		unready.Failing, unready.Said = true, e.Message
		c.Trust = cause.ByEvent
		c.Evidence = append(c.Evidence, cause.Proof{Object: Ref(p), Field: "event Unhealthy", Value: e.Message, At: e.Last})
		if line, listens := v.listens(); listens {
			unready.Listens = true
			c.Class, c.Effect = cause.Configuration, false
			c.Evidence = append(c.Evidence, line)
		}
	}
	if c.Effect && unready.Up < starts {
		unready.Early = true
		c.Class, c.Effect = cause.RunningNormally, false
	}
	c.Detail = unready
	return []cause.Cause{c}
}

func stateText(s *corev1.ContainerStatus) string {
	if w := s.State.Waiting; w != nil {
		return stated(w.Reason, w.Message)
	}
	if t := s.State.Terminated; t != nil {
		return fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode)
	}
	return "running"
}
