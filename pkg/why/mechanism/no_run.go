package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NoRun is a schedule of which no run is left. The operator writes status.nextRun, and requeues the schedule for then
// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
type NoRun struct {
	In      time.Duration // until the next one; negative: since it was due
	Overdue bool          // for longer than the operator takes to start it
}

// Mechanism names what was found.
func (NoRun) Mechanism() cause.ID { return "no-run" }

// overdue is how long after its time a run is late. The operator acts on its queue at that time.
const overdue = 5 * time.Minute

// scheduled is about a schedule of which no run is left.
func scheduled(v *View) []cause.Cause {
	if v.Schedule == nil || v.Application != nil || v.Subject.Kind != "ScheduledSparkApplication" {
		return nil
	}
	next := v.Schedule.Next
	if v.Schedule.Suspend || next.IsZero() {
		return nil
	}
	in := next.Sub(v.Now)
	c := cause.Cause{Class: cause.RunningNormally, Role: cause.OperatorRole, Trust: cause.ByOperator, Subject: v.Subject, At: next,
		Detail:   NoRun{In: in, Overdue: -in > overdue},
		Evidence: []cause.Proof{{Object: v.Subject, Field: "status.nextRun", Value: v.Schedule.NextRun}}}
	if -in > overdue {
		c.Class, c.Effect = cause.Unknown, true
	}
	return []cause.Cause{c}
}
