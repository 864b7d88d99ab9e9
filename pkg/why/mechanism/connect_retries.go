package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ConnectRetries is about a driver of which all that it has written lately is that it tries to connect once more. One that works between
// its tries, and one whose log holds warnings only, look alike and are left out (logs.Again).
type ConnectRetries struct {
	For   time.Duration
	Times int
	Line  string // the last of them
}

// Mechanism names it.
func (ConnectRetries) Mechanism() cause.ID { return "connect-retries" }

// Repeats reports whether all that a driver has written lately is that it tries to connect once more.
func (v *View) Repeats() bool {
	w := &v.Work
	return w.Seen && v.DriverRuns() && w.Again.Line != "" && w.Again.Last.After(v.Driver.CreationTimestamp.Time)
}

func connectRetries(v *View) []cause.Cause {
	if !v.Repeats() {
		return nil
	}
	pod, again := Ref(v.Driver), v.Work.Again
	return []cause.Cause{{Class: cause.Network, Certainty: check.Likely, Role: cause.DriverRole, Subject: pod, At: again.Since,
		Trust: cause.ByContainer, Detail: ConnectRetries{For: again.Last.Sub(again.Since), Times: again.Times, Line: again.Line},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: again.Line, At: again.Last}}}}
}
