package logs

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Tasks is how many tasks of a stage finished.
type Tasks struct{ Done, Of int } // of none: no task finished

// Stage is a stage at work.
type Stage struct {
	ID int
	At string // the call of the program: "parquet at Load.scala:9"
	Tasks
}

// String is how far a stage is: "stage 4 (parquet at Load.scala:9): 153 of 480 tasks finished".
func (s Stage) String() string { return s.Name() + ": " + s.Finished() }

// Name is which stage it is.
func (s Stage) Name() string { return fmt.Sprintf("stage %d (%s)", s.ID, s.At) }

// Finished is how many of the tasks are.
func (t Tasks) Finished() string {
	tasks := "tasks"
	if t.Of == 1 {
		tasks = "task"
	}
	return fmt.Sprintf("%d of %d %s finished", t.Done, t.Of, tasks)
}

var (
	// core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5
	finishedTask = lazyregexp.New(`^Finished task \S+ in stage (\d+)\.\d+ .*\((\d+)/(\d+)\)`)
	// submitMissingTasks of core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.5.5
	submittedStage = lazyregexp.New(`^Submitting (\d+) missing tasks from \w+Stage (\d+) \(\w+\[\d+\] at (.{1,80}?)\) \(first `)
)

// tasksOf reads how many tasks of a stage had finished with one.
func tasksOf(h *header) (Tasks, bool) {
	m := finishedTask.FindStringSubmatch(h.message)
	if m == nil {
		return Tasks{}, false
	}
	return Tasks{number(m[2]), number(m[3])}, true
}

// Pace is how many tasks of a stage finished in which time, up to the last one. Zero: fewer than two of them were seen.
type Pace struct {
	Stage, Tasks int
	Over         time.Duration
	Line         string // of the last
}

// stageIn is which stage a task that finished is of: "14.0".
func stageIn(message string) string {
	_, rest, _ := strings.Cut(message, " in stage ")
	stage, _, _ := strings.Cut(rest, " ")
	return stage
}

// pace is how fast the tasks of a stage finish: from the first of them that the log holds to the last.
func (s *story) pace() Pace {
	last, first := finishedTask.FindStringSubmatch(s.finished.message), finishedTask.FindStringSubmatch(s.paced.message)
	if last == nil || first == nil {
		return Pace{}
	}
	out := Pace{Stage: number(last[1]), Tasks: number(last[2]) - number(first[2]), Over: s.finished.at.Sub(s.paced.at),
		Line: s.finished.message}
	if out.Tasks < 1 || out.Over <= 0 {
		return Pace{}
	}
	return out
}

// atWork is the last stage whose tasks were submitted, and since when it runs; zero if all of its tasks have finished.
func (s *story) atWork() (Stage, time.Time) {
	m := submittedStage.FindStringSubmatch(s.stage.message)
	if m == nil {
		return Stage{}, time.Time{}
	}
	out := Stage{ID: number(m[2]), At: m[3], Tasks: Tasks{Of: number(m[1])}}
	if f := finishedTask.FindStringSubmatch(s.finished.message); f != nil && s.finished.at.After(s.stage.at) {
		if f[1] != m[2] || f[2] == f[3] {
			return Stage{}, time.Time{} // stages run side by side, or it is over
		}
		out.Tasks = Tasks{number(f[2]), number(f[3])}
	}
	return out, s.stage.at
}
