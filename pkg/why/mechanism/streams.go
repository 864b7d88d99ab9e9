package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// StreamAtWork is how far a query of Structured Streaming is. A driver that waits for its next batch looks like one that hangs: the time
// between its batches tells them apart.
type StreamAtWork struct {
	Stream logs.Stream
	Ago    time.Duration // since its last batch
	Waits  bool          // it has no new data
	Others int           // queries of the same driver that get on, too
}

// Mechanism names it.
func (StreamAtWork) Mechanism() cause.ID { return "stream-at-work" }

// A stream gets on as long as its last batch is not far older than the time between batches. One that is late may catch up.
const (
	streamTwice = 2
	streamLeast = 5 * time.Minute
)

// StreamsOn reports whether each query that the driver tells of had a batch lately, for what is usual of it.
func (v *View) StreamsOn() bool {
	all := v.Work.Streams
	for i := range all {
		if v.Now.Sub(all[i].Heard()) > max(streamLeast, streamTwice*all[i].Told) {
			return false
		}
	}
	return len(all) > 0 && v.DriverRuns()
}

// KeepsUp reports whether its streams get on in time with all of its executors, which have been there for a while: what ended others before
// these was made good.
func (v *View) KeepsUp() bool {
	if !v.StreamsOn() || v.Late() || v.Starves() {
		return false
	}
	settledOnes, _ := runningSince(v, settled)
	return settledOnes >= max(1, v.Spec.Asked(), v.Running())
}

// streamWork is what is said of the streams: of the one whose last batch is the oldest.
func (v *View) streamWork() (cause.Cause, bool) {
	if !v.StreamsOn() {
		return cause.Cause{}, false
	}
	all := v.Work.Streams
	one := all[0]
	return cause.Cause{Class: cause.RunningNormally, Certainty: check.Proven, Role: cause.DriverRole, Subject: Ref(v.Driver), At: one.At,
		Trust: cause.ByDriverLog, Detail: StreamAtWork{Stream: one, Ago: v.Now.Sub(one.At), Waits: one.Waits.After(one.At), Others: len(all) - 1},
		Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: one.Line, At: one.At}}}, true
}
