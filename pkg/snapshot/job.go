package snapshot

import "time"

// Job is a Job of the operator's chart, which Helm waits for in an upgrade.
type Job struct {
	Object
	Failed    time.Time // when it was given up; zero: it was not
	Reason    string    // of that, such as BackoffLimitExceeded
	Pods      int       // that it started, whatever became of them
	Suspended bool
}
