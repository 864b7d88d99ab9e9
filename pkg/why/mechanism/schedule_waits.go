package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ScheduleWaits is a run that its schedule waits for, with concurrencyPolicy Forbid, although others have been due since: the operator
// starts none while the last one has not ended (hasLastRunFinished in internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
// A run that takes a little longer than the interval looks alike, and is left out. One whose executors are pending is slow for them, and
// that it holds others back is said beside it.
type ScheduleWaits struct {
	Schedule string
	Due      time.Time     // when the first of them was
	Late     time.Duration // since then
	Missed   int           // at least so many
	For      time.Duration // how long the run takes already
	AtWork   bool          // its tasks finish: it is no run that hangs
}

// Mechanism names it.
func (ScheduleWaits) Mechanism() cause.ID { return "schedule-waits" }

// fewestMissed is from how many runs on the one that holds them back counts as one that does not end.
const fewestMissed = 3

func scheduleWaits(v *View) []cause.Cause {
	s := v.Schedule
	if s == nil || v.Application == nil || s.Suspend || s.ConcurrencyPolicy != "Forbid" || s.LastRun != v.Application.Name ||
		s.Next.IsZero() || !v.runsNow() || len(v.pendingExecutors()) > 0 {
		return nil
	}
	began := v.Application.CreationTimestamp.Time
	late, interval := v.Now.Sub(s.Next), s.Next.Sub(began)
	if interval <= 0 || late < overdue {
		return nil
	}
	d := ScheduleWaits{Schedule: s.Name, Due: s.Next, Late: late, Missed: 1 + int(late/interval), For: v.Now.Sub(began),
		AtWork: v.Progresses() && !v.StreamsOn()}
	if d.Missed < fewestMissed {
		return nil
	}
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), At: s.Next, Detail: d, Evidence: []cause.Proof{
			{Object: s.Ref(), Field: "status.nextRun", Value: s.NextRun, At: s.Next},
			{Object: s.Ref(), Field: "spec.concurrencyPolicy", Value: s.ConcurrencyPolicy},
			{Object: s.Ref(), Field: "status.lastRunName", Value: s.LastRun}}}}
}
