package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LossesMadeGood is executors that a driver lost on the way, where it completed all the same. Spark ends executors that are idle, too: of
// these its log has no "Lost executor" (executorLost in core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.5).
type LossesMadeGood struct{ Lost logs.Lost }

// Mechanism names it.
func (LossesMadeGood) Mechanism() cause.ID { return "losses-made-good" }

// MadeGood finds executors that a driver that completed had lost, and of which its pods do not tell.
func MadeGood(v *View, about *cause.Cause) (cause.Cause, bool) {
	d, is := about.Detail.(Completed)
	lost := v.Work.Lost
	if !is || d.Lost > 0 || lost == nil {
		return cause.Cause{}, false
	}
	return v.ofWork(about, LossesMadeGood{Lost: lost.Lost}, lost.Line), true
}

// CommitsRetried is a driver that completed, where commits had failed and were tried again until one succeeded. Without that the last try
// may have failed, too, and a program that catches the exception exits with 0 all the same.
type CommitsRetried struct{ Retries logs.Retries }

// Mechanism names it.
func (CommitsRetried) Mechanism() cause.ID { return "commits-retried" }

// RetriedCommits finds them.
func RetriedCommits(v *View, about *cause.Cause) (cause.Cause, bool) {
	_, is := about.Detail.(Completed)
	r := v.Work.Retries
	if !is || r == nil {
		return cause.Cause{}, false
	}
	c := v.ofWork(about, CommitsRetried{Retries: *r}, r.Last.Line)
	c.Evidence = append(c.Evidence, v.ofWork(about, nil, r.Committed).Evidence...)
	return c, true
}

// ErrorAtStop is an exception that a driver that completed logged after it had begun to stop Spark: its work was done then. The same
// exception before that may have cost a part of the work.
// CleanUp is what it was, where each of these errors is about what Spark deletes of itself; zero: one is about something else.
type ErrorAtStop struct {
	Error   logs.Complaint
	CleanUp logs.CleanUp
}

// Mechanism names it.
func (ErrorAtStop) Mechanism() cause.ID { return "error-at-stop" }

// StopError finds it.
func StopError(v *View, about *cause.Cause) (cause.Cause, bool) {
	_, is := about.Detail.(Completed)
	e := v.Work.AtStop
	if !is || e == nil || e.Root == (logs.Throwable{}) {
		return cause.Cause{}, false
	}
	d := ErrorAtStop{Error: *e}
	if v.Work.CleanUp.Others == 0 && len(v.Work.CleanUp.Resources) > 0 {
		d.CleanUp = v.Work.CleanUp
	}
	return v.ofWork(about, d, e.Line), true
}

// ofWork is what a line of the driver's log tells beside a verdict.
func (v *View) ofWork(about *cause.Cause, d cause.Detail, line string) cause.Cause {
	return cause.Cause{Class: about.Class, Role: about.Role, Subject: Ref(v.Driver), Trust: cause.ByDriverLog, Detail: d,
		Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: "log " + app.MainName(v.Driver), Value: line, Beside: true}}}
}
