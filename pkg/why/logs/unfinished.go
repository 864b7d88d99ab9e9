package logs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Unfinished is a task that began and came to no end.
type Unfinished struct {
	Task     string // "5.0": its number, and which try it is
	ID       int    // that Spark counts tasks by
	Stage    int
	Executor string // where it runs: a number, or "driver"
}

// startedTask and endedTask are what the driver says of a task (TaskSetManager.scala in core/src/main/scala/org/apache/spark/scheduler of
// apache/spark@v3.5.5).
var (
	startedTask = lazyregexp.New(`^Starting task (\d+\.\d+) in stage (\d+)\.\d+ \(TID (\d+)\) \([^,]+, executor (\w+),`)
	endedTask   = lazyregexp.New(`^(?:Finished|Lost|Killed) task \S+ in stage \S+ \(TID (\d+)`)
)

// mostUnfinished bounds how many tasks are remembered: more do not run side by side, or their ends were not logged.
const mostUnfinished = 10_000

// fewUnfinished is how many tasks are worth a name.
const fewUnfinished = 3

// launched are tasks that began, by their IDs, until they end.
type launched map[string]Unfinished

func (l launched) take(message string) {
	if !strings.Contains(message, " task ") {
		return
	}
	if m := startedTask.FindStringSubmatch(message); m != nil && len(l) < mostUnfinished {
		l[m[3]] = Unfinished{Task: m[1], Stage: number(m[2]), ID: number(m[3]), Executor: m[4]}
	} else if m := endedTask.FindStringSubmatch(message); m != nil {
		delete(l, m[1])
	}
}

// of are the tasks of a stage that run, where a few are left of it and the log knows them all; else none.
func (l launched) of(stage Stage) []Unfinished {
	left := stage.Of - stage.Done
	if stage.Done == 0 || left < 1 || left > fewUnfinished {
		return nil
	}
	var out []Unfinished
	for _, one := range l {
		if one.Stage == stage.ID {
			out = append(out, one)
		}
	}
	if len(out) != left {
		return nil
	}
	slices.SortFunc(out, func(a, b Unfinished) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
