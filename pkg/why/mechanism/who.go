package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Who are the pods that a cause is about.
type Who struct {
	Role   cause.Role
	Server bool // the driver is the server of Spark Connect
	N, Of  int  // of executors: how many, of how many
}

// Others are the executors that run while some do not. Zero: none does.
type Others struct {
	Running, Of int
	Serve       bool // of a server of Spark Connect: what goes on are queries, not a job
	// Stalled is how long no task of theirs has finished, while the driver wrote nothing; zero: the job goes on.
	Stalled time.Duration
}

// Stalls reports whether a job has stopped to go on with the executors that run.
func (o Others) Stalls() bool { return o.Stalled > 0 }

// Waiting is what is known of pods that have not started, whatever they wait for.
type Waiting struct {
	Who    Who
	For    time.Duration // since the first of them was created; negative where clocks differ
	Over   bool          // the run ended before they started
	Others Others
}

// Stalls is that of the others.
func (w Waiting) Stalls() bool { return w.Others.Stalls() }

// Pods are those that have not started. All details about such pods have this method.
func (w Waiting) Pods() Waiting { return w }

// since is only how long the pods wait.
func (w Waiting) since() Waiting { return Waiting{For: roughly(w.For)} }

// roughly is how long something lasts, as exactly as it matters: pods that were created together wait equally long.
func roughly(d time.Duration) time.Duration {
	const day = 24 * time.Hour
	switch {
	case d < 10*time.Minute:
		return d.Truncate(time.Second)
	case d < 8*time.Hour:
		return d.Truncate(time.Minute)
	case d < 8*day:
		return d.Truncate(time.Hour)
	default:
		return d.Truncate(day)
	}
}
