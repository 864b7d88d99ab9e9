package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// MarkedFailed is an application that the operator marked as failed although its driver exited with 0. An operator takes the state from
// the container of the driver (internal/controller/sparkapplication/controller.go@v2.5.2), and one whose cache lacks the pod, from its
// absence.
type MarkedFailed struct {
	State string
	Says  string // what the operator recorded
}

// Mechanism names what was found.
func (MarkedFailed) Mechanism() cause.ID { return "marked-failed" }

// saysFailed reports whether the operator takes the run that ended last for failed.
func (v *View) saysFailed() bool { return v.State == "FAILED" || v.State == "FAILING" }

func markedFailed(v *View) []cause.Cause {
	end, good := v.goodEnd()
	if !good || !v.saysFailed() {
		return nil
	}
	return []cause.Cause{{Class: cause.ObserverMissed, Role: cause.OperatorRole, Detail: MarkedFailed{State: v.State, Says: v.Message},
		Subject: v.AppRef(), Trust: end.trust, At: end.at, Evidence: end.seen}}
}
