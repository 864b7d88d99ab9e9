package mechanism

import (
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// RunKilledBefore is the run of the schedule before the one that is asked about, where a signal ended its driver: it gave back no lock and
// finished no commit. A run that failed by itself or completed looks alike, and gives a lock back on its way out.
type RunKilledBefore struct {
	Run    string
	Code   int
	Reason string // of the container: OOMKilled, Error
	Ended  time.Time
}

// Mechanism names it.
func (RunKilledBefore) Mechanism() cause.ID { return "run-killed-before" }

// KilledBefore finds it, where a log complains of what such a run leaves.
func KilledBefore(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || !known.Signature.Leftover || v.Earlier == nil || !v.Earlier.Failed() {
		return cause.Cause{}, false
	}
	end := NewMessages().Read(v.Earlier.Status.Message, false).Driver
	if end == nil || !ofStop(end.Code) {
		return cause.Cause{}, false
	}
	d := RunKilledBefore{Run: v.Earlier.Name, Code: end.Code, Reason: end.Reason, Ended: v.Earlier.Status.Ended.UTC()}
	return cause.Cause{Class: about.Class, Role: about.Role, Subject: v.Earlier.Ref(), Trust: cause.ByOperator, Detail: d,
		Evidence: []cause.Proof{{Object: v.Earlier.Ref(), Field: "status.applicationState.errorMessage",
			Value: "exit code " + strconv.Itoa(d.Code) + ", " + d.Reason, At: d.Ended}}}, true
}
