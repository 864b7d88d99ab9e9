package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// byDriver is the reason of an executor that its driver ended, such as one that was idle: of these it writes no "Lost executor"
// (logExecutorLoss in core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.5, and ExecutorLossReason.scala there).
const byDriver = "Executor killed by driver."

// takeLoss takes an executor that the driver says it lost. Where threads write out of order, a task may have told it before.
func (s *story) takeLoss(l loss) {
	s.losses = append(slices.DeleteFunc(s.losses, func(before loss) bool { return before.byTask && before.executor == l.executor }), l)
}

// lossByTask takes an executor of whose loss only a task tells that ran there. The driver says first that it lost an executor, and then
// so of each of its tasks, with the same reason (removeExecutor in TaskSchedulerImpl.scala, executorLost in TaskSetManager.scala): the
// first line is missing where a log was rotated or read from its tail.
func (s *story) lossByTask(at int, e *entry) {
	m := lostFailure.FindStringSubmatch(e.message)
	if m == nil || strings.HasPrefix(m[2], byDriver) {
		return
	}
	if told := slices.ContainsFunc(s.losses, func(l loss) bool { return l.executor == m[1] }); told {
		return
	}
	l := newLoss(at, m[1], m[2]+"\n"+strings.Join(e.extra, "\n"))
	l.byTask = true
	s.losses = append(s.losses, l)
}

// executorsOf are the executors that were lost, or the one whose end a signature of such ends names.
func executorsOf(c *candidate, v *verdict) []string {
	known, is := v.meaning.(Known)
	if id := known.Groups["executor"]; is && id != "" && v.class == cause.ClusterKilled && len(c.lost.Executors) == 0 {
		return []string{id}
	}
	return c.lost.Executors
}
