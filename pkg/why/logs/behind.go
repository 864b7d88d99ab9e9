package logs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

var (
	blockManager = lazyregexp.New(`FetchFailed\(BlockManagerId\((\w+),`)
	lostFailure  = lazyregexp.New(`ExecutorLostFailure \(executor (\w+) [^)]*\)(?: Reason: (.*))?`)
)

// behind finds why executors were lost or their output was, where a job was given up for that. What befell executors before the job began
// was survived.
func (s *story) behind(c candidate) (candidate, bool) {
	text := s.entries[c.at].message + "\n" + strings.Join(s.entries[c.at].extra, "\n")
	about := s.about(c, text)
	if len(about) == 0 && !fetches(c.links) && !strings.Contains(text, "Max number of executor failures") {
		return candidate{}, false
	}
	for _, t := range s.tasks {
		if t.at > c.at || t.at < s.work || !about[t.executor] {
			continue
		}
		one := s.ofTry(&t, c.at, c.tried)
		leads := c.tries(t) || one.verdict.exhausts()
		if leads && one.verdict.strength >= Plausible {
			one.proven = one.verdict.strength == Certain
			return one, true
		}
	}
	return s.lost(c, text, about)
}

// tries reports whether it is a try of the task that the job was given up for.
func (c *candidate) tries(t taskFailure) bool { return c.tried.of(t) }

// of reports whether a failure is one of the attempts.
func (a Attempts) of(t taskFailure) bool {
	return a.Times != 0 && t.task == a.Task && t.stage == a.Stage
}

// attemptsOf reads task, stage, and how often it was tried.
func attemptsOf(numbers []string) Attempts {
	return Attempts{Task: number(numbers[0]), Stage: number(numbers[1]), Times: number(numbers[2])}
}

// exhausts reports whether it ends an executor: other exceptions end a task alone.
func (v *verdict) exhausts() bool {
	if v.class == cause.Storage {
		return true
	}
	if v.root == nil {
		return false
	}
	return strings.HasSuffix(v.root.class, "OutOfMemoryError") || strings.HasSuffix(v.root.class, "OutOfDirectMemoryError")
}

// about are the executors that a job was given up for: whose blocks could not be fetched, and where the tries of its task failed.
func (s *story) about(c candidate, text string) map[string]bool {
	names := blockManager.FindAllStringSubmatch(text, -1)
	names = append(names, lostFailure.FindAllStringSubmatch(text, -1)...)
	for _, t := range s.tasks {
		switch {
		case t.at >= c.at || t.at < s.work:
		case c.tried.Times == 0:
			names = append(names, blockManager.FindAllStringSubmatch(s.entries[t.at].message, -1)...)
		case c.tries(t):
			names = append(names, []string{"", t.executor})
		}
	}
	about := map[string]bool{}
	for _, m := range names {
		about[m[1]] = true
	}
	return about
}

func fetches(links []link) bool {
	for i := range links {
		if links[i].class == "FetchFailed" || strings.HasSuffix(links[i].class, "FetchFailedException") {
			return true
		}
	}
	return false
}

// lostFor are the losses that a job was given up for: of the executors that this was about, if they are known, else all during the job.
func (s *story) lostFor(c candidate, about map[string]bool) []loss {
	var during, named []loss
	for _, l := range s.losses {
		if l.at > c.at {
			continue
		}
		if l.at > s.work {
			during = append(during, l)
		}
		if about[l.executor] {
			named = slices.DeleteFunc(named, func(before loss) bool { return before.executor == l.executor })
			named = append(named, l)
		}
	}
	if len(named) > 0 {
		return named
	}
	return during
}

// often is how many executors in a row must be lost for the same reason before a driver that runs is said to get no further for it.
const often = 3

// loses finds why a driver that runs keeps losing executors and finishes no task, where it says of each the same, and the catalogue knows
// that.
func (s *story) loses(how outcome) (candidate, bool) {
	if how != running || len(s.losses) < often {
		return candidate{}, false
	}
	if c, ok := s.worn(); ok {
		return c, true
	}
	last := s.losses[len(s.losses)-often:]
	first := lineVerdict(&s.entries[last[0].at])
	if first.strength != Certain || !first.class.Fault() || s.finished.at.After(s.timeOf(last[0].at)) {
		return candidate{}, false
	}
	for _, l := range last[1:] {
		if v := lineVerdict(&s.entries[l.at]); v.signature() != first.signature() {
			return candidate{}, false
		}
	}
	return candidate{at: last[0].at, end: -1, verdict: first, losses: last, lost: lostOf(last, last[0].why)}, true
}

const lately = 30 * time.Minute // within which executors are lost one after the other

// executorID is the number of an executor that reported; they are counted from 1 (CoarseGrainedSchedulerBackend.scala@v3.5.5).
var executorID = lazyregexp.New(` with ID (\d+)`)

// worn is about a driver that runs, and whose executors end of what they hold in memory, at least half of all that ever reported, since its
// last job began. Tasks may finish: what others had done is lost with each.
func (s *story) worn() (candidate, bool) {
	losses := slices.DeleteFunc(slices.Clone(s.losses), func(l loss) bool { return l.at < max(s.work, s.wrote) })
	if len(losses) < often || s.registered < 0 {
		return candidate{}, false
	}
	last := losses[len(losses)-often:]
	why := last[0].why
	ofMemory := why == OOMKilled || why == HeapFull
	alike := last[1].why == why && last[2].why == why
	ago := s.timeOf(len(s.entries) - 1).Sub(s.timeOf(last[0].at))
	if !ofMemory || !alike || ago > lately {
		return candidate{}, false
	}
	lost := map[string]bool{}
	losses = slices.DeleteFunc(losses, func(l loss) bool {
		if l.why == why {
			lost[l.executor] = true
		}
		return l.why != why
	})
	if m := executorID.FindStringSubmatch(s.entries[s.registered].message); m == nil || 2*len(lost) < number(m[1]) {
		return candidate{}, false
	}
	return candidate{at: losses[0].at, end: -1, losses: losses, lost: lostOf(losses, why), proven: true,
		verdict: verdict{meaning: ExecutorsLost{Replaced: true}, strength: Plausible, class: why.class()}}, true
}

// unfetched is about blocks that executors cannot fetch from one another because their connections are reset, where none of them was lost:
// then it is the network between them. One that refuses a connection may have been lost. It takes a log that tells of executors.
func (s *story) unfetched(c candidate) (verdict, bool) {
	if len(s.losses) > 0 || s.registered < 0 || !fetches(c.links) {
		return verdict{}, false
	}
	for i := range c.links {
		if l := &c.links[i]; !fetches(c.links[i:i+1]) && strings.HasPrefix(l.message, "Connection reset") {
			return verdict{meaning: ShuffleUnreached{}, strength: Plausible, class: cause.Network, root: l}, true
		}
	}
	return verdict{}, false
}

// lost says why most executors were lost before a job was given up.
func (s *story) lost(c candidate, text string, about map[string]bool) (candidate, bool) {
	told, losses := mostFrequent(s.lostFor(c, about))
	c.losses = s.withAlike(losses, told, c.at)
	most := told
	if told == NoReason {
		most = reasonOf(text)
	}
	c.lost = lostOf(c.losses, most)
	c.lost.ByJob = most != told
	if len(c.losses) > 0 {
		c.at = c.losses[0].at
	}
	if most != NoReason {
		c.verdict = verdict{meaning: ExecutorsLost{}, strength: Plausible, class: most.class(), root: c.verdict.root}
		if c.verdict.class == cause.Unknown {
			c.verdict.strength = EffectOnly
		}
		c.proven = most.certain()
		return c, true
	}
	if v, is := s.unfetched(c); is {
		c.verdict = v
		return c, true
	}
	if len(c.losses) == 0 {
		return candidate{}, false
	}
	c.verdict = verdict{meaning: ExecutorsLost{}, strength: EffectOnly, class: cause.Unknown, root: c.verdict.root}
	return c, true
}

// mostFrequent is the reason for which most executors were lost, and its losses. None is, if of more executors no reason is known.
func mostFrequent(losses []loss) (LossReason, []loss) {
	byReason := map[LossReason][]loss{}
	for _, l := range losses {
		byReason[l.why] = append(byReason[l.why], l)
	}
	unknown, most := byReason[NoReason], NoReason
	delete(byReason, NoReason)
	for reason, of := range byReason {
		if n := len(byReason[most]); len(of) > n || len(of) == n && reason > most {
			most = reason
		}
	}
	if len(unknown) > len(byReason[most]) {
		return NoReason, unknown
	}
	return most, byReason[most]
}

// withAlike adds the other losses for the same reason during the job, which are not of the task that it was given up for.
func (s *story) withAlike(losses []loss, why LossReason, before int) []loss {
	if why == NoReason {
		return losses
	}
	for _, l := range s.losses {
		if l.why == why && l.at > s.work && l.at <= before && !slices.Contains(losses, l) {
			losses = append(losses, l)
		}
	}
	slices.SortFunc(losses, func(a, b loss) int { return cmp.Compare(a.at, b.at) })
	return losses
}
