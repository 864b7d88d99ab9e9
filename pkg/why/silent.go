package why

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// silentFor is from when on the silence of a driver between two jobs is worth a question.
const silentFor = time.Hour

// idleFor is from when on it is said that a driver has had no job.
const idleFor = 15 * time.Minute

// silent reports whether a driver that wrote of its jobs has written nothing for long, with no job at work: it waits for something, and
// that its pods run does not mean that it gets on. Servers of Spark wait for their clients, and streams write of every trigger.
func (l driverLog) silent(v *mechanism.View) bool {
	return l.idle(v) && !l.Last.IsZero() && v.Now.Sub(l.Last) > silentFor || l.stuck(v)
}

// stuckFor is from when on a stage of which no task has finished is worth a question, where nothing else was written meanwhile.
const stuckFor = 20 * time.Minute

// stuck reports whether no task of the stage at work has finished for long, and the driver has written nothing since they began: the tasks
// may be long, or wait for something. A stage of one task is as long as its work: a table that is read by one connection.
func (l driverLog) stuck(v *mechanism.View) bool {
	return l.stalled(v) || l.seen && v.DriverRuns() && !v.Serves() && !l.StageAt.IsZero() && !l.TasksAt.After(l.StageAt) &&
		l.Last.After(v.Driver.CreationTimestamp.Time) && l.Stage.Tasks != (logs.Tasks{Of: 1}) &&
		v.Now.Sub(l.StageAt) > stuckFor && v.Now.Sub(l.Last) > stuckFor
}

// stalled reports whether the tasks of a stage have stopped to finish, and the driver has written nothing since. The last tasks of a stage
// may be the longest: with most of them done, it takes longer until that is worth a question.
func (l driverLog) stalled(v *mechanism.View) bool {
	if !l.seen || !v.DriverRuns() || v.Serves() || l.Stage == (logs.Stage{}) || !l.TasksAt.After(l.StageAt) || v.Now.Sub(l.Last) < stuckFor {
		return false
	}
	done, all := l.Stage.Done, l.Stage.Of
	if done == 0 {
		return false
	}
	each, since := l.TasksAt.Sub(l.StageAt)/time.Duration(done), v.Now.Sub(l.TasksAt)
	return since > max(silentFor, 20*each) || all >= 3*done && since > max(stuckFor, 10*each)
}

// unexplained is what is known of such a driver.
func (l driverLog) unexplained(v *mechanism.View) []cause.Cause {
	if !l.silent(v) {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	since := duration.HumanDuration(v.Now.Sub(l.Last))
	said, value, at := fmt.Sprintf("the driver runs, but it has written nothing for %s, since a job of it ended: it waits, and its log does "+
		"not say for what", since), l.Wrote, l.WroteAt
	if l.stalled(v) {
		said, value, at = fmt.Sprintf("the driver and %s run, but for %s no further task has finished: %s; what runs is far longer than the "+
			"tasks before, or waits, and the log does not say for what", facts.Counted(v.Running(), "executor"),
			duration.HumanDuration(v.Now.Sub(l.TasksAt)), words.Stage(l.Stage)), words.Stage(l.Stage), l.TasksAt
	} else if l.stuck(v) {
		said, value, at = fmt.Sprintf("the driver and %s run, but no task of %s, and the driver has written nothing for %s: its tasks are long, "+
			"or they wait, and its log does not say for what", facts.Counted(v.Running(), "executor"),
			strings.Replace(words.Stage(l.Stage), ": 0 of", " has finished: 0 of", 1), since), words.Stage(l.Stage), l.StageAt
	}
	return []cause.Cause{{Class: cause.Unknown, Effect: true, Subject: pod, At: l.Last, Trust: cause.ByContainer, Message: said,
		Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: value, At: at}},
		Next: []command.Command{command.Do("take a thread dump to see what it waits for").With("kubectl -n %s exec %s -- jstack 1", pod.Namespace,
			pod.Name)}}}
}
