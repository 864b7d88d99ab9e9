package logs

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
)

// onTheWayOut is how long the code of an application takes, at most, from an error that it logged or printed to one that follows from it: a finally
// block or a handler that misses what the first kept it from making. Java shows the second only (Java Language Specification, SE 17,
// 14.20.2).
const onTheWayOut = 2 * time.Second

// masked finds what was logged or printed as an error right before it failed in words of its own, where the catalogue is certain
// of the former and knows nothing of the latter. That one led to the other is likely, never proven.
func (s *story) masked(c candidate) candidate {
	if c.verdict.class != cause.CodeFailed || c.verdict.signature != "" || c.executor != "" || c.tried != nil {
		return c
	}
	thrown := c.at
	if s.stopping >= 0 && s.stopping < c.at {
		thrown = s.stopping // the JVM prints what ended the main thread once Spark has stopped
	}
	for at := thrown - 1; at > s.work && at >= thrown-nearby; at-- {
		e := &s.entries[at]
		if e.level == info || e.level == debug || e.level == warn || s.timeOf(thrown).Sub(s.timeOf(at)) > onTheWayOut {
			continue
		}
		first := s.judge(at)
		if first.verdict.strength == effectOnly {
			first.verdict = lineVerdict(e)
		}
		if first.verdict.strength != certain || !first.verdict.class.Fault() || first.verdict.class == cause.CodeFailed {
			continue
		}
		first.end, first.proven = c.end, false
		first.verdict.says = shortened(first.verdict.says+"; right after that the application failed with "+described(c.verdict.root), 3*maxSaid)
		return first
	}
	return c
}
