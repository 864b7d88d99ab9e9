package logs

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OfFailedExecutors returns what the first log of an executor that ended by itself tells, where that is known: Causes leaves these logs out
// while a job goes on with other executors. One that a signal ended, or that was shut down, tells none.
func OfFailedExecutors(e *app.Evidence) (cause.Cause, bool) {
	pods := podsByName(e)
	logs := ordered(e.Logs, pods)
	driver := driverState{read: true, registered: true}
	for i := range logs {
		log := &logs[i]
		if log.Role != executorRole || ofSidecar(log, pods) || earlier(log, pods) || endOf(log, pods, e.Application) != failed {
			continue
		}
		s := read(log.Head, log.Tail, ClockOf(e, log))
		c, ok := s.first(failed)
		if !ok || c.verdict.strength < Plausible {
			continue
		}
		if one, adds := driver.fromExecutor(s, &c, log); adds {
			return one, true
		}
	}
	return cause.Cause{}, false
}
