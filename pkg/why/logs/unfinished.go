package logs

import (
	"cmp"
	"slices"
	"strings"
)

// Unfinished is a task that began and came to no end.
type Unfinished struct {
	Task     string // "5.0": its number, and which try it is
	ID       int    // that Spark counts tasks by
	Stage    int
	Executor string // where it runs: a number, or "driver"
}

// mostUnfinished bounds how many tasks are remembered: more do not run side by side, or their ends were not logged.
const mostUnfinished = 10_000

// fewUnfinished is how many tasks are worth a name.
const fewUnfinished = 3

// launched are tasks that began, by their IDs, until they end. What the driver says of them is in TaskSetManager.scala in
// core/src/main/scala/org/apache/spark/scheduler of apache/spark@v3.5.5. A log may have hundreds of thousands of such lines.
type launched map[string]begun

// begun is a task as the line has it that says that it began.
type begun struct{ task, stage, executor string }

func (l launched) take(message string) {
	switch {
	case strings.HasPrefix(message, "Starting task "):
		task, rest, _ := strings.Cut(message[len("Starting task "):], " in stage ")
		stage, _, _ := strings.Cut(rest, ".")
		_, where, placed := strings.Cut(rest, ", executor ")
		executor, _, more := strings.Cut(where, ",")
		if id := idOf(rest); id != "" && placed && more && len(l) < mostUnfinished {
			l[id] = begun{task, stage, executor}
		}
	case hasPrefix(message, "Finished task ", "Lost task ", "Killed task "):
		delete(l, idOf(message))
	}
}

// idOf is the number by which Spark counts the task that a line is about; empty: it names none.
func idOf(message string) string {
	_, rest, _ := strings.Cut(message, "(TID ")
	end := strings.IndexAny(rest, ") ,")
	if end < 0 {
		return ""
	}
	return rest[:end]
}

// of are the tasks of a stage that run, where a few are left of it and the log knows them all; else none.
func (l launched) of(stage Stage) []Unfinished {
	left := stage.Of - stage.Done
	if stage.Done == 0 || left < 1 || left > fewUnfinished {
		return nil
	}
	var out []Unfinished
	for id, one := range l {
		if number(one.stage) == stage.ID {
			out = append(out, Unfinished{Task: one.task, ID: number(id), Stage: stage.ID, Executor: one.executor})
		}
	}
	if len(out) != left {
		return nil
	}
	slices.SortFunc(out, func(a, b Unfinished) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
