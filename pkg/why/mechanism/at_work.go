package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// What is found here is what a driver that runs is at. None of it is a fault.

// BatchLate is a stream whose batch took longer than its trigger. It may catch up. Spark warns of it
// (sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/TriggerExecutor.scala@v3.5.5).
type BatchLate struct {
	Line string // of the driver
}

// Mechanism names it.
func (BatchLate) Mechanism() cause.ID { return "batch-late" }

// LateBatch says that a stream falls behind.
func LateBatch(v *View) (cause.Cause, bool) {
	if !v.Late() {
		return cause.Cause{}, false
	}
	w, pod := &v.Work, Ref(v.Driver)
	return cause.Cause{Class: cause.RunningNormally, Role: cause.DriverRole, Subject: pod, At: w.LateAt, Trust: cause.ByDriverLog,
		Detail: BatchLate{Line: w.Late}, Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: w.Late, At: w.LateAt}}}, true
}

// Committing is a driver whose tasks are done and that commits their output: on an object store one file after the other.
type Committing struct {
	For time.Duration
}

// Mechanism names it.
func (Committing) Mechanism() cause.ID { return "committing" }

// BetweenWork is a driver that has had no job for a while: if that was all its work, the program does not end.
type BetweenWork struct {
	For time.Duration
}

// Mechanism names it.
func (BetweenWork) Mechanism() cause.ID { return "between-work" }

// StageAtWork is the stage at work.
type StageAtWork struct {
	Stage logs.Stage
	For   time.Duration
	Quiet time.Duration // in which no task finished and the driver wrote nothing; 0: it did
}

// Mechanism names it.
func (StageAtWork) Mechanism() cause.ID { return "stage-at-work" }

// StageRerun is a stage at work that runs again, since executors were lost with what they had written for it. The job gets on, and has done
// a part of its work twice. One whose tasks failed for another reason runs as the same attempt.
type StageRerun struct {
	Rerun logs.Rerun
}

// Mechanism names it.
func (StageRerun) Mechanism() cause.ID { return "stage-rerun" }

// Rerun is why the stage at work runs again; false: it does not, or its tasks have stopped to finish.
func Rerun(v *View) (cause.Cause, bool) {
	w := &v.Work
	over := w.Between || w.Stopped != "" || w.Commits != "" || w.Tasks.Done >= w.Tasks.Of
	if w.Rerun == nil || over || v.Serves() || v.StreamsOn() || !v.DriverRuns() || !v.Progresses() {
		return cause.Cause{}, false
	}
	pod := Ref(v.Driver)
	return cause.Cause{Class: cause.SlowButProgressing, Role: cause.DriverRole, Subject: pod, At: w.Rerun.At, Trust: cause.ByDriverLog,
		Detail:   StageRerun{Rerun: *w.Rerun},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: w.Rerun.Line, At: w.Rerun.At}}}, true
}

// StagePace is how far a stage is, and how fast its tasks finish, where what was read of the log does not tell when it began. A driver
// whose tasks do not finish any more looks alike.
type StagePace struct {
	Tasks logs.Tasks
	Pace  logs.Pace
	Ago   time.Duration // since the last one finished
	Rest  time.Duration // that the others take at this pace
}

// Mechanism names it.
func (StagePace) Mechanism() cause.ID { return "stage-pace" }

// leastPace is over what time tasks are counted, at least, to say how long others will take.
const leastPace = time.Minute

// pace is how fast the stage at work gets on; false: it does not, or it is over.
func (v *View) pace() (StagePace, bool) {
	w := &v.Work
	over := w.Between || w.Stopped != "" || w.Commits != "" || w.Tasks.Done >= w.Tasks.Of
	if over || w.Pace.Over < leastPace || !v.DriverRuns() || !v.Progresses() {
		return StagePace{}, false
	}
	each := w.Pace.Over / time.Duration(w.Pace.Tasks)
	return StagePace{Tasks: w.Tasks, Pace: w.Pace, Ago: v.Now.Sub(w.TasksAt), Rest: each * time.Duration(w.Tasks.Of-w.Tasks.Done)}, true
}

// quietFor is from when on it is said that a stage gets no further by what its driver writes.
const quietFor = 10 * time.Minute

// WorkOf is what the driver is at, the parts in the order in which they are said.
func WorkOf(v *View) (out []cause.Cause) {
	w := &v.Work
	if v.Serves() || !w.Seen {
		return nil
	}
	pod := Ref(v.Driver)
	add := func(d cause.Detail, certainty check.Certainty, line string, at time.Time) {
		one := cause.Cause{Class: cause.RunningNormally, Certainty: certainty, Role: cause.DriverRole, Subject: pod, At: at,
			Trust: cause.ByDriverLog, Detail: d}
		if line != "" {
			one.Evidence = []cause.Proof{{Object: pod, Field: v.logField(), Value: line, At: at}}
		}
		out = append(out, one)
	}
	if w.Commits != "" && v.DriverRuns() {
		add(Committing{For: v.Now.Sub(w.CommitsAt)}, check.Proven, w.Commits, w.CommitsAt)
	}
	if c, is := idleServer(v); is {
		out = append(out, c)
	}
	if c, is := v.streamWork(); is {
		return append(out, c)
	}
	if v.Idle() {
		add(BetweenWork{For: v.Now.Sub(w.WroteAt)}, check.Proven, w.Wrote, w.WroteAt)
	}
	if w.Stage == (logs.Stage{}) {
		if d, goesOn := v.pace(); goesOn {
			add(d, check.Proven, w.Pace.Line, w.TasksAt)
		}
		return out
	}
	stage, certainty := StageAtWork{Stage: w.Stage, For: v.Now.Sub(w.StageAt)}, check.Proven
	if since := v.Now.Sub(w.Last); w.TasksAt.After(w.StageAt) && since > quietFor && v.Now.Sub(w.TasksAt) > quietFor {
		stage.Quiet, certainty = min(since, v.Now.Sub(w.TasksAt)), check.Likely
	}
	add(stage, certainty, "", w.StageAt)
	return out
}

// LossesTold is why executors failed whose pods are gone, by the driver's log.
type LossesTold struct {
	Lost logs.Lost
	// Limit is that of their memory, where they were lost for it; zero: they were not.
	Limit MemoryLimit
}

// Mechanism names it.
func (LossesTold) Mechanism() cause.ID { return "losses-told" }

// ToldLosses is what the driver was told of executors that failed.
func ToldLosses(v *View) (cause.Cause, bool) {
	w := &v.Work
	if v.Serves() || w.Lost == nil {
		return cause.Cause{}, false
	}
	d := LossesTold{Lost: w.Lost.Lost}
	if w.Lost.Reason.OfMemory() {
		d.Limit = v.Limit("executor")
	}
	pod := Ref(v.Driver)
	return cause.Cause{Class: cause.ClusterKilled, Effect: true, Role: cause.ExecutorRole, Subject: pod, At: w.Lost.At,
		Trust: cause.ByDriverLog, Detail: d, Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: w.Lost.Line, At: w.Lost.At}}}, true
}
