package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// ScheduleRejected is a schedule that the operator does not accept. It writes FailedValidation
// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
type ScheduleRejected struct {
	Says string // by the operator
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
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Detail: ScheduleRejected{Says: reason}, Subject: v.Subject,
		Trust: cause.ByOperator, Evidence: []cause.Proof{{Object: v.Subject, Field: "status.scheduleState", Value: state + ": " + reason}}}}
}
