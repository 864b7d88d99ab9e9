package mechanism

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
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

// SuspendIgnored is an application that the operator has not suspended, or not resumed, as spec.suspend asks for.
type SuspendIgnored struct {
	Resume bool // spec.suspend is no longer true
}

// Mechanism names what was found.
func (SuspendIgnored) Mechanism() cause.ID { return "suspend-ignored" }

// ScheduleRejected is a schedule that the operator does not accept.
type ScheduleRejected struct {
	Says string // by the operator
}

// Mechanism names what was found.
func (ScheduleRejected) Mechanism() cause.ID { return "schedule-rejected" }

// heldOnPurpose is about an application that its user suspended.
func heldOnPurpose(v *View) []cause.Cause {
	c := cause.Cause{Class: cause.Unknown, Role: cause.OperatorRole, Certainty: check.Likely, Effect: true, Subject: v.AppRef(),
		Trust: cause.ByOperator}
	state := cause.Proof{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}
	switch {
	case v.resumes():
		c.Detail, c.Evidence = SuspendIgnored{Resume: true}, []cause.Proof{state}
	case v.State == "SUSPENDING" && v.notSuspended() > 0, v.State == "COMPLETED" || v.State == "FAILED":
		return nil
	case v.State == "RUNNING" && v.suspended() && v.driverRuns():
		c.Detail, c.Evidence = SuspendIgnored{}, []cause.Proof{{Object: v.AppRef(), Field: "spec.suspend", Value: "true"}, state}
	case !v.heldByQueue() && (v.suspended() || v.State == "SUSPENDED" || v.State == "SUSPENDING"):
		return []cause.Cause{suspended(v.AppRef(), false)}
	default:
		return nil
	}
	return []cause.Cause{c}
}

// scheduleHeld is about a schedule that its user suspended.
func scheduleHeld(v *View) []cause.Cause {
	if v.Schedule == nil || v.Subject.Kind != "ScheduledSparkApplication" {
		return nil
	}
	if on, _, _ := unstructured.NestedBool(v.Schedule.Object, "spec", "suspend"); !on {
		return nil
	}
	return []cause.Cause{suspended(v.Subject, true)}
}

// scheduleRejected is about a schedule whose cron expression or time zone is none.
func scheduleRejected(v *View) []cause.Cause {
	if v.Schedule == nil || v.Subject.Kind != "ScheduledSparkApplication" {
		return nil
	}
	state, _, _ := unstructured.NestedString(v.Schedule.Object, "status", "scheduleState")
	reason, _, _ := unstructured.NestedString(v.Schedule.Object, "status", "reason")
	if state != "FailedValidation" {
		return nil
	}
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Detail: ScheduleRejected{Says: reason}, Subject: v.Subject,
		Trust: cause.ByOperator, Evidence: []cause.Proof{{Object: v.Subject, Field: "status.scheduleState", Value: state + ": " + reason}}}}
}

func suspended(on snapshot.Ref, schedule bool) cause.Cause {
	return cause.Cause{Class: cause.Suspended, Role: cause.OperatorRole, Detail: Suspended{Schedule: schedule}, Subject: on,
		Trust: cause.ByCondition, Evidence: []cause.Proof{{Object: on, Field: "spec.suspend", Value: "true"}}}
}
