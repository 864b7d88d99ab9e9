package mechanism

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Work is what the driver's log says of its progress: what only together with the state of the pod has a meaning.
type Work struct {
	logs.Ending
	Seen    bool // the log was read; else all else is empty
	Clock   logs.Clock
	Listens string // the line by which a server of Spark Connect says that it opened its port; empty: none does
}

// ReadWork reads the log of the container of Spark in the current driver.
func ReadWork(v *View) Work {
	l := v.DriverLog()
	if l == nil {
		return Work{}
	}
	clock := logs.ClockOf(v.Evidence, l)
	w := Work{Ending: logs.Digest(l, clock), Seen: true, Clock: clock}
	if v.IsConnect() {
		w.Listens = logs.ListeningLine(l)
	}
	return w
}

// DriverLog is the last that was read of the container of Spark; nil: none was.
func (v *View) DriverLog() *app.Log {
	if v.Driver == nil {
		return nil
	}
	at := -1
	for i := range v.Logs {
		if l := &v.Logs[i]; l.Pod == v.Driver.Name && l.Container == app.MainName(v.Driver) && !l.Previous {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return &v.Logs[at]
}

// AtWork are the causes that the log of the driver tells together with the state of its pod. A JVM that runs no code comes first: nothing
// else is said of it. What a driver that runs waits for comes before what one that is done left behind.
func AtWork(v *View) []cause.Cause {
	for _, mechanisms := range [][]func(*View) []cause.Cause{
		{debuggerAwaited},
		{localMaster, standaloneTooSmall, driverBlocks, executorsUnregistered, tasksRefused, connectRetries, straggler, driverSilent},
		{entrypointNotSpark, doesNotExit, endedAfterWork},
	} {
		var out []cause.Cause
		for _, find := range mechanisms {
			out = append(out, find(v)...)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// logField is where a line of the driver's log stands.
func (v *View) logField() string { return "log " + app.MainName(v.Driver) }

// Progresses reports whether tasks finished lately, or batches of a stream as often as they do.
func (v *View) Progresses() bool {
	w := &v.Work
	if v.StreamsOn() {
		return true
	}
	return !w.TasksAt.IsZero() && v.Now.Sub(w.TasksAt) < 10*time.Minute
}

// idleFor is from when on it is said that a driver has had no job.
const idleFor = 15 * time.Minute

// Idle reports whether a driver that runs has had no job for a while: a program that is done and does not end, or one that works without
// Spark.
func (v *View) Idle() bool {
	w := &v.Work
	return w.Seen && w.Between && v.DriverRuns() && !v.IsConnect() && !v.StreamsOn() && !w.WroteAt.IsZero() &&
		v.Now.Sub(w.WroteAt) > idleFor && !strings.HasPrefix(v.Spec.MainClass, "org.apache.") // HiveThriftServer2, Livy
}

// registers is how long a process of an executor takes to report to the driver, at most, where nothing is in its way.
const registers = 2 * time.Minute

// Starves reports whether a job gets no executors, by the last that the log says of it. Spark complains every 15 seconds
// (spark.starvation.timeout); without its lines of level INFO, only a fresh complaint says that no executor came since.
func (v *View) Starves() bool {
	w := &v.Work
	if !w.Seen || w.Starved == "" {
		return false
	}
	return w.Info || v.Now.Sub(w.StarvedAt) < registers
}

// lateFor is how long a stream counts as late after it said so: a batch may take minutes.
const lateFor = 15 * time.Minute

// Late reports whether a stream took longer for its last batches than its trigger allows.
func (v *View) Late() bool {
	w := &v.Work
	return w.Seen && w.Late != "" && v.DriverRuns() && v.Now.Sub(w.LateAt) < lateFor
}
