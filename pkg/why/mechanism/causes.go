// Package mechanism finds in the objects and events of an application, and in those that surround it, what keeps it from working or
// ended it. A mechanism is a function in a file of its own: it takes the View and returns causes. What the application says is in package
// app; the View adds what is derived of its current run, once for all mechanisms.
package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Causes are all that the objects tell, in the order of the mechanisms. An effect follows from something else, which may not be there.
func Causes(e *app.Evidence) []cause.Cause { return Find(Look(e)) }

// Find is Causes of evidence that was looked at before.
func Find(v *View) []cause.Cause {
	var out []cause.Cause
	for _, find := range mechanisms(v) {
		out = append(out, find(v)...)
	}
	return out
}

func mechanisms(v *View) []func(*View) []cause.Cause {
	if v.IsConnect() {
		return ofConnect()
	}
	return []func(*View) []cause.Cause{
		collected, applicationDeleted, applicationGone, noNewRun, specChanged, deletionRefused, heldByFinalizers, suspendIgnored, suspended,
		scheduleRejected, scheduled, queued, submissionFailed, completed, markedFailed, endUnrecorded, stillRuns,
		driverEnded, tokenUnmounted, driverGone, podPruned, driverPending,
		executorsPending, someMissing, noExecutors,
		serviceGone, apache, executorsLost, executorsFailing, runRepeats, scheduleWaits, running,
		waiting, platform,
	}
}
