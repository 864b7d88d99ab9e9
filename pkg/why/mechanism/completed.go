package mechanism

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Completed is an application whose driver did its work: its container exited with 0, or the operator says so of one that is gone. The
// exit code 0 of a container that the kubelet lost says nothing. Where the operator makes something else of it, it is MarkedFailed or
// Unrecorded. The operator takes the state from the container of the driver (internal/controller/sparkapplication/controller.go@v2.5.2).
type Completed struct {
	Exited   bool         // its driver was seen to exit with 0; else the operator says so
	Sidecars []string     // of the driver that still run, so that its pod counts as running
	Pod      snapshot.Ref // of the driver, where it has such
	Waited   bool         // no operator started it: what did, waits for the end of the pod
	Attempt  int          // which one it was
	Lost     int          // executors on the way
	Why      EndReason    // the first of them ended
}

// Mechanism names what was found.
func (Completed) Mechanism() cause.ID { return "completed" }

// completed is about an application that counts as running or completed, as it should.
func completed(v *View) []cause.Cause {
	end, good := v.goodEnd()
	if !good || v.saysFailed() || unrecorded(v, end.at) {
		return nil
	}
	if failed, is := stepFailed(v, end); is {
		return []cause.Cause{failed}
	}
	// Spark ends executors that are idle with SIGTERM (spark.dynamicAllocation in docs/configuration.md@v3.5.5): that loses nothing.
	lost := slices.DeleteFunc(slices.Clone(v.Ends), func(e End) bool { return e.Why.Kind == Terminated })
	d := Completed{Exited: end.trust == cause.ByContainer, Attempt: v.Attempts, Lost: len(lost)}
	c := cause.Cause{Class: cause.Succeeded, Role: cause.DriverRole, Subject: v.AppRef(), Trust: end.trust, At: end.at, Evidence: end.seen}
	if v.Driver != nil {
		for _, s := range v.Driver.Status.ContainerStatuses {
			if s.State.Running != nil && s.Name != app.MainName(v.Driver) {
				d.Sidecars = append(d.Sidecars, s.Name)
				d.Pod, d.Waited = Ref(v.Driver), v.Application == nil
			}
		}
	}
	if d.Lost > 0 {
		d.Why = lost[0].Why
		c.Role, c.Topics = cause.ExecutorRole, topicsOf(d.Why.Kind)
	}
	c.Detail = d
	return []cause.Cause{c}
}

// topicsOf is what an end is about.
func topicsOf(kind EndKind) cause.Topics {
	switch kind {
	case OOMKilled:
		return cause.OOMKilled | cause.OwnLimit
	case JVMMemory:
		return cause.Memory | cause.Exit52
	default:
		return 0
	}
}

// goodEnd is when a driver did its work, and what shows it.
type goodEnd struct {
	at    time.Time
	trust cause.Trust // ByContainer: its container exited with 0; else the operator says so
	seen  []cause.Proof
}

// goodEnd is about an application whose driver did its work, whatever its pod and the operator make of it.
func (v *View) goodEnd() (goodEnd, bool) {
	held := v.State == "PENDING_RERUN" && inTheWay(v)
	if held || !v.succeeded() {
		return goodEnd{}, false
	}
	out := goodEnd{at: v.DriverEnd().UTC(), trust: cause.ByOperator, seen: v.stateProof()}
	if v.Driver != nil {
		if s := app.Container(v.Driver); s != nil && s.State.Terminated != nil {
			out.at, out.trust = s.State.Terminated.FinishedAt.UTC(), cause.ByContainer
			out.seen = append(out.seen, cause.Proof{Object: Ref(v.Driver), Field: "status.containerStatuses[" + s.Name + "]",
				Value: "Completed (exit code 0)", At: out.at})
		}
	}
	return out, true
}

// succeeded reports whether the run came to a good end: the operator says so, or the driver's container exited with 0.
func (v *View) succeeded() bool {
	if v.Driver != nil {
		if exit := ExitOf(v.Driver); exit != NotEnded {
			return exit == EndedWell
		}
		if v.DriverRuns() {
			return false
		}
	}
	return v.State == "COMPLETED" || v.State == "SUCCEEDING"
}

// stateProof is the state that the operator wrote; none if no operator did.
func (v *View) stateProof() []cause.Proof {
	if v.State == "" {
		return nil
	}
	return []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
}
