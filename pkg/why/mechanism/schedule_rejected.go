package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ScheduleRejected is a schedule that the operator did not accept. It writes FailedValidation, and from 2.0 on it leaves it at that when
// the schedule is corrected (internal/controller/scheduledsparkapplication/controller.go@v2.5.2, #3174).
type ScheduleRejected struct {
	Says  string // by the operator
	Valid string // spec.schedule as it is, where it would be accepted now; empty: it would not
}

// Mechanism names what was found.
func (ScheduleRejected) Mechanism() cause.ID { return "schedule-rejected" }

// scheduleRejected is about a schedule whose cron expression or time zone is none.
func scheduleRejected(v *View) []cause.Cause {
	if v.Schedule == nil || v.Subject.Kind != "ScheduledSparkApplication" {
		return nil
	}
	state, reason := v.Schedule.State, v.Schedule.Reason
	if state != "FailedValidation" {
		return nil
	}
	d := ScheduleRejected{Says: reason}
	evidence := []cause.Proof{{Object: v.Subject, Field: "status.scheduleState", Value: state + ": " + reason}}
	if operator.Corrected(&snapshot.Schedule{Cron: v.Schedule.Cron, TimeZone: v.Schedule.TimeZone, Reason: reason}) {
		d.Valid = v.Schedule.Cron
		evidence = append(evidence, cause.Proof{Object: v.Subject, Field: "spec.schedule", Value: d.Valid})
	}
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Detail: d, Subject: v.Subject, Trust: cause.ByOperator,
		Evidence: evidence}}
}
