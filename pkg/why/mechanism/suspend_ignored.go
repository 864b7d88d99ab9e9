package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SuspendIgnored is an application that the operator has not suspended, or not resumed, as spec.suspend asks for. An operator before 2.5
// knows no suspension (internal/controller/sparkapplication/controller.go@v2.5.2).
type SuspendIgnored struct {
	Resume bool // spec.suspend is no longer true
}

// Mechanism names what was found.
func (SuspendIgnored) Mechanism() cause.ID { return "suspend-ignored" }

func suspendIgnored(v *View) []cause.Cause {
	if !ignoresSuspend(v) {
		return nil
	}
	c := cause.Cause{Class: cause.Unknown, Role: cause.OperatorRole, Certainty: check.Likely, Effect: true, Subject: v.AppRef(),
		Trust: cause.ByOperator, Detail: SuspendIgnored{Resume: resumes(v)}}
	if !resumes(v) {
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.suspend", Value: "true"}}
	}
	c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State})
	return []cause.Cause{c}
}

// ignoresSuspend reports whether the operator has not done what spec.suspend asks for.
func ignoresSuspend(v *View) bool {
	runsOn := v.State == "RUNNING" && v.Spec.Suspend && v.DriverRuns()
	return runsOn || resumes(v)
}

// resumes reports whether the operator is to start the application again.
func resumes(v *View) bool { return v.State == "SUSPENDED" && !v.Spec.Suspend }
