package logs

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/signatures"
)

// outcome is how a container ended, as its status says it.
type outcome int

const (
	unknownEnd outcome = iota
	running
	succeeded // exit code 0
	failed
	signaled // 137, 143: something else ended it
)

// candidate is what may have failed first.
type candidate struct {
	at       int // of the entry that tells it
	end      int // of the entry at which the process gave up; -1: another tells that
	links    []link
	verdict  verdict
	proven   bool
	executor string   // whose task failed
	tried    []string // "task 5 of stage 1", "4"
	losses   []loss   // executors that were lost for this
}

// first finds what failed first: of what ended the process, the earliest that follows from nothing else; else what stands behind it.
func (s *story) first(how outcome) (candidate, bool) {
	if how == succeeded || how == unknownEnd && s.wentWell() {
		return candidate{}, false
	}
	effect := candidate{at: -1}
	for _, at := range s.deaths {
		c := s.judge(at)
		if c.verdict.strength > effectOnly {
			return s.better(c), true
		}
		if behind, ok := s.behind(c); ok {
			return behind, true
		}
		if effect.at < 0 {
			effect = c
		}
	}
	if c, ok := s.refused(how); ok {
		return c, true
	}
	if how != running {
		if c, ok := s.logged(how, effect.at); ok {
			return c, true
		}
	}
	if effect.at >= 0 && effect.verdict.root != nil {
		return effect, true
	}
	return candidate{}, false
}

// judge says what the exception of one entry means.
func (s *story) judge(at int) candidate {
	e := &s.entries[at]
	c := candidate{at: at, end: at, links: chain(e)}
	c.verdict = judged(c.links)
	c.proven = c.verdict.strength >= ownCode && (e.uncaught != caught || givesUp.MatchString(e.message) || ofMemory(e))
	text := e.message + "\n" + strings.Join(e.extra[:min(len(e.extra), 20)], "\n")
	if m := failedTimes.FindStringSubmatch(text); m != nil {
		c.tried = m[1:]
	}
	if m := lostTask.FindStringSubmatch(text); m != nil {
		c.executor = m[3] + m[4]
	}
	if c.executor == "" && c.tried != nil {
		for _, t := range s.tasks {
			if t.at < at && t.task == c.tried[0] && t.stage == c.tried[1] {
				c.executor = t.executor
			}
		}
	}
	return c
}

// better looks for a plain word on what a process gave up at, where its exception is of nothing that is known.
func (s *story) better(c candidate) candidate {
	if c.verdict.strength >= ownCode {
		return c
	}
	for at := c.at - 1; at >= 0 && at > s.work; at-- {
		if v := lineVerdict(&s.entries[at]); v.strength == certain && (c.verdict.signature == "" || v.class == c.verdict.class) {
			return candidate{at: at, end: c.at, links: c.links, verdict: v, proven: s.entries[at].level == plain}
		}
	}
	return c
}

var (
	blockManager = regexp.MustCompile(`FetchFailed\(BlockManagerId\((\w+),`)
	lostFailure  = regexp.MustCompile(`ExecutorLostFailure \(executor (\w+) `)
)

// behind finds why executors were lost or their output was, where a job was given up for that.
func (s *story) behind(c candidate) (candidate, bool) {
	about := map[string]bool{}
	text := s.entries[c.at].message + "\n" + strings.Join(s.entries[c.at].extra, "\n")
	names := blockManager.FindAllStringSubmatch(text, -1)
	names = append(names, lostFailure.FindAllStringSubmatch(text, -1)...)
	for _, t := range s.tasks {
		if t.at < c.at && c.tried == nil {
			names = append(names, blockManager.FindAllStringSubmatch(s.entries[t.at].message, -1)...)
		}
		if t.at < c.at && c.tried != nil && t.task == c.tried[0] && t.stage == c.tried[1] {
			names = append(names, []string{"", t.executor})
		}
	}
	for _, m := range names {
		about[m[1]] = true
	}
	if len(about) == 0 && !fetches(c.links) && !strings.Contains(text, "Max number of executor failures") {
		return candidate{}, false
	}
	for _, t := range s.tasks {
		if t.at > c.at || !about[t.executor] {
			continue
		}
		links := chain(&s.entries[t.at])
		if v := judged(links); v.strength >= plausible {
			return candidate{at: t.at, end: c.at, links: links, verdict: v, proven: v.strength == certain, executor: t.executor, tried: c.tried}, true
		}
	}
	return s.lost(c, text)
}

// exceptionLine is an exception that stands alone on a line.
var exceptionLine = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning)(?::|$)`)

func fetches(links []link) bool {
	for i := range links {
		if links[i].class == "FetchFailed" || strings.HasSuffix(links[i].class, "FetchFailedException") {
			return true
		}
	}
	return false
}

// lost says why most executors were lost before a job was given up.
func (s *story) lost(c candidate, text string) (candidate, bool) {
	byReason := map[lossReason][]loss{}
	for _, l := range s.losses {
		if l.at <= c.at {
			byReason[l.why] = append(byReason[l.why], l)
		}
	}
	most := unexplained
	for reason, losses := range byReason {
		if reason == unexplained {
			continue
		}
		n := len(byReason[most])
		if most == unexplained || len(losses) > n || len(losses) == n && reason > most {
			most = reason
		}
	}
	c.losses = byReason[most]
	if most == unexplained {
		most = reasonOf(text)
	}
	if len(c.losses) > 0 {
		c.at = c.losses[0].at
	}
	if most == unexplained {
		if len(c.losses) > 0 {
			c.verdict = verdict{strength: effectOnly, class: cause.Unknown, says: lostSays(c.losses, most), root: c.verdict.root}
			return c, true
		}
		return candidate{}, false
	}
	c.verdict = verdict{strength: plausible, class: most.class(), says: lostSays(c.losses, most), root: c.verdict.root}
	c.proven = most.certain()
	return c, true
}

// refused is why the driver got no executors, where none came after it.
func (s *story) refused(how outcome) (candidate, bool) {
	if len(s.refusals) == 0 || s.refusals[len(s.refusals)-1] < s.registered || how == signaled && s.registered >= 0 {
		return candidate{}, false
	}
	c := s.judge(s.refusals[0])
	if c.verdict.strength < unclear {
		return candidate{}, false
	}
	c.proven = c.verdict.strength == certain
	c.end = -1
	return c, true
}

// logged is what a logger or a program wrote that explains a failure, where no exception ended the process; only before a position, if
// that is not negative.
func (s *story) logged(how outcome, before int) (candidate, bool) {
	found := candidate{at: -1}
	for at := range s.entries {
		e := &s.entries[at]
		if before >= 0 && at >= before || s.stopping >= 0 && at > s.stopping && e.level != plain {
			break
		}
		// A task that failed was tried again, unless a job was given up for it: then that is what ended the process.
		if e.level == info || e.level == debug || strings.HasPrefix(e.message, "Lost ") {
			continue
		}
		if v := lineVerdict(e); v.strength > effectOnly {
			c := candidate{at: at, end: before, verdict: v, proven: v.strength == certain && e.level == plain && s.work < at && how != signaled}
			if v.root == nil && exceptionLine.MatchString(e.message) {
				c.proven = false // its frames were cut off: they could tell something else
			}
			if c.verdict.strength == certain && (how != signaled || e.level == plain) {
				return c, true
			}
			if found.at < 0 && how != signaled {
				found = c
			}
		}
		if how == signaled || e.level == warn {
			continue
		}
		if c := s.judge(at); c.verdict.strength >= plausible && c.verdict.strength > found.verdict.strength {
			c.proven = false
			found = c
		}
	}
	return found, found.at >= 0
}

// lineVerdict is what the catalogue says of the lines of an entry that are no stack trace.
func lineVerdict(e *entry) verdict {
	if e.level == info || e.level == debug {
		return verdict{}
	}
	best := verdict{}
	ask := func(line string) {
		if notPackage.MatchString(line) {
			best = shadowing(&link{message: line})
			return
		}
		m, ok := signatures.Line(line)
		if !ok || m.Signature.Effect || best.strength == certain {
			return
		}
		v := verdict{strength: plausible, class: m.Signature.Class, says: m.Says, next: m.Next, signature: m.Signature.ID}
		if m.Signature.Certain {
			v.strength = certain
		}
		if v.strength > best.strength {
			best = v
		}
	}
	ask(e.message)
	for i, line := range e.extra {
		if i < 50 && !traceLine.MatchString(line) && strings.TrimSpace(line) != "" {
			ask(line)
		}
	}
	if f, ok := familyOf(&link{message: e.message}); ok && best.strength == effectOnly && e.level == plain && e.uncaught == caught && len(e.extra) == 0 {
		best = verdict{strength: plausible, class: f.class, says: f.says + ": " + shortened(e.message, maxSaid)}
	}
	return best
}
