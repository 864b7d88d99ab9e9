package logs

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
)

// Ending is how one log ends. It tells no cause, but it rules causes out.
type Ending struct {
	Log  *evidence.Log
	Last time.Time // of the last line that has a time

	Bytes    int  // that were read
	Complete bool // nothing between its beginning and its end was left out

	Uncaught  bool // an exception ended the process, or Spark gave up
	WorkDone  bool // the driver stopped Spark itself, with nothing before it that ends a process
	Stopped   bool // "Successfully stopped SparkContext" was written, for whatever reason
	StopCode  int  // of "SparkContext is stopping with exitCode"; -1: it was not written
	Signaled  bool // the process received SIGTERM while it worked, before Spark began to stop
	Jobs      int  // that finished
	Lost      int  // executors that the driver lost
	Executors bool // at least one executor reported to the driver
	StoppedAt time.Time
}

// Digest returns how each log of the evidence ends, in the same order.
func Digest(e *evidence.Evidence) []Ending {
	out := make([]Ending, 0, len(e.Logs))
	for i := range e.Logs {
		log := &e.Logs[i]
		s := tell(read(log.Head, log.Tail))
		ending := Ending{
			Log: log, Last: s.last, Bytes: len(log.Head) + len(log.Tail), Complete: log.Dropped == 0,
			Uncaught: len(s.deaths) > 0, WorkDone: s.wentWell(), Stopped: s.stopped, StopCode: s.stopCode,
			Signaled: s.signal >= 0 && (s.stopping < 0 || s.signal < s.stopping),
			Jobs:     s.jobs, Lost: len(s.losses), Executors: s.registered >= 0,
		}
		if s.stopping >= 0 {
			ending.StoppedAt = s.timeOf(s.stopping)
		}
		out = append(out, ending)
	}
	return out
}
