package mechanism

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerDown is a server that is down, up between two ends, or up again since a short time: how it ended, and whether it comes back.
type ServerDown struct {
	How cause.Detail
	Downtime
}

// Mechanism is that by which it ended.
func (d ServerDown) Mechanism() cause.ID { return d.How.Mechanism() }

// Downtime is what becomes of a server that ended. The kubelet restarts containers as the pod's restartPolicy says, none of a pod that
// ended, and the operator creates a pod only where none is (createOrUpdateServerPod in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
type Downtime struct {
	Restarts int
	Again    bool // it runs again
	Up       time.Duration
	Over     corev1.PodPhase // of a pod that ended and is still there; empty: it has not ended
}

// downtime also returns what shows it.
func downtime(v *View, p *corev1.Pod) (d Downtime, proofs []cause.Proof) {
	if s := app.Container(p); s != nil && s.RestartCount > 0 {
		d.Restarts = int(s.RestartCount)
		if s.State.Running != nil {
			d.Again, d.Up = true, v.Now.Sub(s.State.Running.StartedAt.Time)
		}
		proofs = append(proofs, cause.Proof{Object: Ref(p), Field: "status.containerStatuses[" + app.MainName(p) + "].restartCount",
			Value: fmt.Sprint(s.RestartCount)})
	}
	if p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded {
		d.Over = p.Status.Phase
		proofs = append(proofs, cause.Proof{Object: Ref(p), Field: "status.phase", Value: string(p.Status.Phase)})
	}
	return d, proofs
}

// serverEnded is why the server is down, or was a short time ago.
func serverEnded(v *View) []cause.Cause {
	p := v.Driver
	if p == nil {
		return nil
	}
	if one, failed := initFailed(v, p); failed {
		return []cause.Cause{one}
	}
	end, down := v.serverEnd()
	if !down {
		if end, down = v.restarted(); !down {
			return lingering(v, p)
		}
	}
	c, told := fromOutside(v, p, end)
	if !told {
		c = serverExited(v, p, end)
	}
	after, proofs := downtime(v, p)
	c.Detail, c.Evidence = ServerDown{How: c.Detail, Downtime: after}, append(c.Evidence, proofs...)
	return []cause.Cause{c}
}

// ServerRestarted is a server that is up again since a short time, whose log says why it ended.
type ServerRestarted struct{ Downtime }

// Mechanism names it.
func (ServerRestarted) Mechanism() cause.ID { return "server-restarted" }

// Restarted is what became of the server that ended for a cause.
func Restarted(v *View, c *cause.Cause) (cause.Cause, bool) {
	if !v.BeforeRestart(c) {
		return cause.Cause{}, false
	}
	after, proofs := downtime(v, v.Driver)
	return cause.Cause{Class: cause.Unknown, Effect: true, Role: cause.DriverRole, Subject: Ref(v.Driver), At: v.serverStart(),
		Trust: cause.ByContainer, Detail: ServerRestarted{after}, Evidence: proofs}, true
}
