package logs

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// onTheWayOut is how long the code of an application takes, at most, from an error that it logged or printed to one that follows from it:
// a finally block or a handler that misses what the first kept it from making. Java shows the second only (Java Language Specification,
// SE 17, 14.20.2).
const onTheWayOut = 2 * time.Second

// triedEnough matches the words of an application that tried several times, and says no more of why: that is in what it wrote of each try.
var triedEnough = lazyregexp.New(`(?i)\b(?:giv(?:e|es|ing)|gave) up\b|\b(?:after|all|in) \d+ (?:attempts?|retries|tries|times)\b` +
	`|\b(?:retries|attempts|retry limit) (?:\w+ )?(?:exhausted|exceeded|reached)\b|\bmax(?:imum)?(?: number of)? (?:retries|attempts)\b`)

// masked finds what was logged or printed as an error right before the application failed in words of its own, where the catalogue is
// certain of the former and knows nothing of the latter; or what it wrote of its tries, where it gave up after several. That one led to the
// other is likely, never proven.
func (s *story) masked(c candidate) candidate {
	timed := s.begun >= 0 || s.stopping >= 0 // without lines of level INFO, the time of what a JVM prints last is not known
	if !timed || !c.onlyOwnWords() {
		return c
	}
	thrown, gaveUp := c.at, triedEnough.MatchString(c.verdict.root.message)
	if s.stopping >= 0 && s.stopping < c.at {
		thrown = s.stopping // the JVM prints what ended the main thread once Spark has stopped
	}
	for at := thrown - 1; at > s.work && at >= thrown-nearby; at-- {
		justBefore := s.entries[at].level != warn && s.timeOf(thrown).Sub(s.timeOf(at)) <= onTheWayOut
		if s.entries[at].level.belowWarn() || !gaveUp && !justBefore {
			continue
		}
		first := s.meant(at, gaveUp)
		if !s.blames(&first, gaveUp) {
			continue
		}
		first.end, first.proven = c.end, false
		first.after.How = FailedAtOnce // with what, its evidence says
		if gaveUp {
			first.after.How = GaveUp
		}
		return first
	}
	return c
}

// onlyOwnWords reports whether the code of the application raised an exception of which nothing else is known.
func (c *candidate) onlyOwnWords() bool {
	ofTask := c.executor != "" || c.tried.Times != 0
	return !ofTask && c.verdict.class == cause.CodeFailed && c.verdict.signature() == "" && c.verdict.root != nil
}

// meant is what an entry tells by its exceptions, else by its lines, else, where it is one of several tries, by how it words that.
func (s *story) meant(at int, ofTry bool) candidate {
	e, c := &s.entries[at], s.judge(at)
	if c.verdict.strength == EffectOnly || c.verdict.signature() == "" {
		c.verdict = lineVerdict(e)
	}
	if c.verdict.strength == EffectOnly && ofTry {
		said := &link{message: e.message}
		if f, ok := said.among(wordings()); ok {
			c.verdict = f.verdict(said, nil)
		}
	}
	return c
}

// blames reports whether an entry may be why the application then failed: the catalogue is certain of it, or knows it and the application
// itself wrote it, as one of its tries or when it went on without what failed.
func (s *story) blames(c *candidate, ofTry bool) bool {
	if !c.verdict.class.Fault() || c.verdict.class == cause.CodeFailed {
		return false
	}
	if c.verdict.strength == Certain {
		return true
	}
	e := &s.entries[c.at]
	without := e.level >= failure && s.ofApplication(e) && len(c.links) > 0
	return c.verdict.strength == Plausible && (ofTry || without)
}
