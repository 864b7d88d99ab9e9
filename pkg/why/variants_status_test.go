package why_test

import "testing"

// TestStatesThatTheOperatorCouldNotWrite: its log says why, in lines that follow the error.
func TestStatesThatTheOperatorCouldNotWrite(t *testing.T) {
	answerVariants(t, map[string]variant{
		"refused": {of: "1113", class: "observerMissed", says: []string{"still without a state", "status.terminationTime in body"}},
		"the log tells nothing": {of: "1113", logs: []string{"plaza-totals", "other-totals"}, class: "observerMissed",
			not: []string{"its log says"}},
	})
}

// TestDriversThatWereGoneWhenTheOperatorLooked: executors that were stopped long before say that the run was over by then; stopped with the
// record, or not all of them, they do not.
func TestDriversThatWereGoneWhenTheOperatorLooked(t *testing.T) {
	const ended = "terminationTime: '2026-06-14T05:14:51Z'"
	answerVariants(t, map[string]variant{
		"minutes later": {of: "1073", class: "observerMissed", says: []string{"its executors were stopped 2 min before"}},
		"at once":       {of: "1073", objects: []string{ended, "terminationTime: '2026-06-14T05:12:20Z'"}, class: "unknown"},
		"one ran on": {of: "1073", objects: []string{"name: lane-prices-0614-7035a92a8c9cac5b-exec-4.cbec6efa071b8fde", "name: other",
			"message: Stopping container spark-kubernetes-executor", "message: Stopping", "reason: Killing", "reason: Kept"}, class: "unknown"},
	})
}

// TestDriversNotLookedFor: only what is given up at once, with nothing of the driver seen, is not known to have run.
func TestDriversNotLookedFor(t *testing.T) {
	answerVariants(t, map[string]variant{
		"at once": {of: "909", class: "observerMissed", says: []string{"did not find driver pod", "7s after it was submitted"}},
		"its container started": {of: "909", objects: []string{"reason: Scheduled\n", "reason: Started\n"}, class: "unknown",
			says: []string{"may have succeeded"}},
	})
}

// TestEndsThatAreNotRecorded: an application that counts as running after its driver completed. An operator needs a moment for that, and a
// pod whose sidecar runs has not ended.
func TestEndsThatAreNotRecorded(t *testing.T) {
	const phase, ended = "phase: Succeeded", "finishedAt: '2026-04-03T05:02:29Z'"
	answerVariants(t, map[string]variant{
		"of a schedule": {of: "1005", class: "observerMissed", says: []string{"still RUNNING", "5 h 28 min ago", "concurrencyPolicy Forbid"}},
		"which may overlap": {of: "1005", objects: []string{"concurrencyPolicy: Forbid", "concurrencyPolicy: Allow"},
			class: "observerMissed", not: []string{"concurrencyPolicy"}},
		"a moment ago":     {of: "1005", objects: []string{ended, "finishedAt: '2026-04-03T10:29:29Z'"}, class: "succeeded"},
		"its pod runs":     {of: "1005", objects: []string{phase, "phase: Running"}, class: "succeeded"},
		"it is recorded":   {of: "1005", objects: []string{"state: RUNNING", "state: COMPLETED"}, class: "succeeded"},
		"it did not do it": {of: "1005", objects: []string{"exitCode: 0", "exitCode: 3"}, class: "unknown"},
	})
}
