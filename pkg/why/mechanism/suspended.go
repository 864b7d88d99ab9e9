package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Suspended is an application, or a schedule, that its user suspended. One that Kueue holds has spec.suspend, too: its Workload says so.
// An application that is over is neither suspended nor resumed (Reconcile and IsTerminated, v2.5.2: internal/controller/sparkapplication/
// controller.go, pkg/util/sparkapplication.go).
type Suspended struct {
	Schedule bool
}

// Mechanism names what was found.
func (Suspended) Mechanism() cause.ID { return "suspended" }

// suspended is about an application or a schedule.
func suspended(v *View) []cause.Cause {
	var out []cause.Cause
	held := func(on snapshot.Ref, d Suspended) {
		out = append(out, cause.Cause{Class: cause.Suspended, Role: cause.OperatorRole, Detail: d, Subject: on, Trust: cause.ByCondition,
			Evidence: []cause.Proof{{Object: on, Field: "spec.suspend", Value: "true"}}})
	}
	if heldOnPurpose(v) {
		held(v.AppRef(), Suspended{})
	}
	if v.Schedule != nil && v.Subject.Kind == "ScheduledSparkApplication" && v.Schedule.Suspend {
		held(v.Subject, Suspended{Schedule: true})
	}
	return out
}

func heldOnPurpose(v *View) bool {
	switch {
	case ignoresSuspend(v), heldByQueue(v), v.State == "SUSPENDING" && notSuspended(v) > 0, v.State == "COMPLETED" || v.State == "FAILED":
		return false
	default:
		return v.Spec.Suspend || v.State == "SUSPENDED" || v.State == "SUSPENDING"
	}
}
