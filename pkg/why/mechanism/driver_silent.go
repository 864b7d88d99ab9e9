package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// DriverSilent is about a driver that wrote of its jobs and has written nothing for long: it waits for something, and its log does not say
// for what. Long tasks look alike, and so does a stage of one task: a table that is read by one connection. Servers of Spark, which wait
// for their clients, and streams, which write of every trigger, are left out. Jobs and stages are logged by
// core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.5.5, tasks by TaskSetManager.scala beside it.
type DriverSilent struct {
	How     Silence
	For     time.Duration // since its last line
	Since   time.Duration // since the last task finished, where tasks stopped to finish
	Running int           // executors
	Stage   logs.Stage    // at work
	Left    []LeftTask    // of it, if only these run
}

// LeftTask is a task that does not end.
type LeftTask struct {
	logs.Unfinished

	Pod string // of its executor; empty: it was not seen
}

// Mechanism names it.
func (DriverSilent) Mechanism() cause.ID { return "driver-silent" }

// Silence is what a silent driver has stopped to do.
type Silence int

// The silences.
const (
	BetweenJobs Silence = iota // no job is at work
	NoTaskYet                  // no task of the stage at work has finished
	NoTaskMore                 // tasks of the stage at work have stopped to finish
)

const (
	silentFor = time.Hour        // from when on the silence of a driver between two jobs is worth a question
	stuckFor  = 20 * time.Minute // the same of a stage of which no task has finished
)

// Silent reports whether a driver wrote nothing for long, with no job at work or with tasks that do not finish: that its pods run does not
// mean that it gets on.
func (v *View) Silent() bool {
	w := &v.Work
	betweenJobs := v.Idle() && !w.Last.IsZero() && v.Now.Sub(w.Last) > silentFor
	return betweenJobs || stuck(v)
}

// runsJobs reports whether a driver runs that is no server, and its log was read.
func runsJobs(v *View) bool { return v.Work.Seen && v.DriverRuns() && !v.Serves() }

// stuck reports whether no task of the stage at work has finished for long, and the driver has written nothing since they began.
func stuck(v *View) bool {
	if stalled(v) {
		return true
	}
	w := &v.Work
	if !runsJobs(v) || w.StageAt.IsZero() || w.TasksAt.After(w.StageAt) {
		return false
	}
	oneTask := w.Stage.Tasks == logs.Tasks{Of: 1}
	thisRun := w.Last.After(v.Driver.CreationTimestamp.Time)
	return thisRun && !oneTask && v.Now.Sub(w.StageAt) > stuckFor && v.Now.Sub(w.Last) > stuckFor
}

// stalled reports whether the tasks of a stage have stopped to finish, and the driver has written nothing since. The last tasks of a stage
// may be the longest: with most of them done, it takes longer until that is worth a question.
func stalled(v *View) bool {
	w := &v.Work
	if !runsJobs(v) || w.Stage == (logs.Stage{}) || !w.TasksAt.After(w.StageAt) || v.Now.Sub(w.Last) < stuckFor {
		return false
	}
	done, all := w.Stage.Done, w.Stage.Of
	if done == 0 {
		return false
	}
	each, since := w.TasksAt.Sub(w.StageAt)/time.Duration(done), v.Now.Sub(w.TasksAt)
	stoppedEarly := all >= 3*done && since > max(stuckFor, 10*each)
	return stoppedEarly || since > max(silentFor, 20*each)
}

// stalledFor is how long no task of the stage at work has finished, and the driver has written nothing; zero: it gets on, or that is not
// known.
func (v *View) stalledFor() time.Duration {
	switch {
	case stalled(v):
		return v.Now.Sub(v.Work.TasksAt)
	case stuck(v):
		return v.Now.Sub(v.Work.StageAt)
	default:
		return 0
	}
}

func driverSilent(v *View) []cause.Cause {
	if !v.Silent() || len(straggler(v)) > 0 {
		return nil
	}
	w, pod := &v.Work, Ref(v.Driver)
	found := DriverSilent{For: v.Now.Sub(w.Last), Running: v.Running(), Stage: w.Stage}
	role := cause.ExecutorRole
	proof := cause.Proof{Object: pod, Field: v.logField(), Value: w.Stage.String()}
	switch {
	case stalled(v):
		found.How, found.Since = NoTaskMore, v.Now.Sub(w.TasksAt)
		found.Left = v.leftTasks()
		proof.At = w.TasksAt
	case stuck(v):
		found.How = NoTaskYet
		proof.At = w.StageAt
	default:
		role = cause.DriverRole
		proof.Value, proof.At = w.Wrote, w.WroteAt
	}
	return []cause.Cause{{Class: cause.Unknown, Effect: true, Role: role, Subject: pod, At: w.Last, Trust: cause.ByContainer, Detail: found,
		Evidence: []cause.Proof{proof}}}
}

// leftTasks are the tasks that a stage still waits for, with the pods of their executors.
func (v *View) leftTasks() (out []LeftTask) {
	for _, one := range v.Work.Left {
		task := LeftTask{Unfinished: one}
		for _, p := range v.Executors {
			if p.Labels[snapshot.ExecutorIDLabel] == one.Executor {
				task.Pod = p.Name
			}
		}
		out = append(out, task)
	}
	return out
}
