package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// aborts is what Spark says of the task for which it gives a job up (core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala
// @v3.5.5).
var aborts = lazyregexp.New(`^Task (\d+) in stage (\d+)\.\d+ failed (\d+) times; aborting job$`)

// abandoned is why the last job was given up, where the process failed after that and its own exception is not in what was read: a program
// that catches it and exits, or that logs elsewhere. The last try of the task says what the job was given up for. That the process ended
// for it is not said, and so it is never proven.
func (s *story) abandoned(how outcome) (candidate, bool) {
	if how != failed {
		return candidate{}, false
	}
	for at := len(s.entries) - 1; at >= 0 && at > max(s.work, s.wrote); at-- {
		e := &s.entries[at]
		m := aborts.FindStringSubmatch(strings.TrimSpace(e.message))
		if m == nil || e.level < failure {
			continue
		}
		tried := attemptsOf(m[1:])
		for i := len(s.tasks) - 1; i >= 0; i-- {
			t := s.tasks[i]
			if t.at > at || !tried.of(t) {
				continue
			}
			one := s.ofTry(&t, at, tried)
			one.proven = false
			return one, one.verdict.strength >= Plausible
		}
		return candidate{}, false
	}
	return candidate{}, false
}
