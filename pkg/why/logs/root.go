package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// candidate is what may have failed first.
type candidate struct {
	at       int // of the entry that tells it
	end      int // of the entry at which the process gave up; -1: another tells that
	links    []link
	verdict  verdict
	proven   bool
	executor string   // whose task failed
	tried    Attempts // of the task that a job was given up for
	losses   []loss   // executors that were lost for this
	lost     Lost     // the same, as far as it is known
	before   []int    // entries that say what led to it

	after     Aftermath
	identity  Unreached
	installed string // the package of Python whose code raised the root
	endpoints Endpoints
}

// first finds what failed first: of what ended the process, the earliest that follows from nothing else; else what stands behind it; else
// the first of the searches that finds something.
func (s *story) first(how outcome) (candidate, bool) {
	if how == succeeded || how == unknownEnd && s.seemsWell() {
		return candidate{}, false
	}
	effect := candidate{at: -1}
	for _, at := range s.deaths {
		c := s.judge(at)
		if c.verdict.strength > EffectOnly {
			return s.refined(c), true
		}
		if behind, ok := s.behind(c); ok {
			return behind, true
		}
		if effect.at < 0 {
			effect = c
		}
	}
	beforeEffect := func(how outcome) (candidate, bool) { return s.loggedBefore(how, effect.at) }
	for _, search := range []func(outcome) (candidate, bool){
		s.refused, beforeEffect, s.abandoned, s.jobGivenUp, s.loses, s.staysFull,
	} {
		if c, ok := search(how); ok {
			return c, true
		}
	}
	if effect.at >= 0 && effect.verdict.root != nil {
		return effect, true
	}
	return s.lastWords(how)
}

// seemsWell reports whether nothing says that the process failed, where its exit code is not known. The hook of the JVM stops Spark with 0
// after System.exit as well, but without a word of a failure.
func (s *story) seemsWell() bool { return s.stopCode == 0 && len(s.deaths) == 0 || s.wentWell() }

// loggedBefore is what was logged of a failure of a process that ended, and the job behind it that was given up.
func (s *story) loggedBefore(how outcome, before int) (candidate, bool) {
	if how == running {
		return candidate{}, false
	}
	c, ok := s.logged(how, before)
	if !ok {
		return candidate{}, false
	}
	return s.givenUp(c), true
}

// jobGivenUp is why the task failed for which the last job was given up, where the exception that ended the process does not carry it on.
func (s *story) jobGivenUp(how outcome) (candidate, bool) {
	if how != failed && how != running {
		return candidate{}, false
	}
	for at := len(s.entries) - 1; at > s.work; at-- {
		if e := &s.entries[at]; e.level < failure || !abortsJob.MatchString(e.message) {
			continue
		}
		c, ok := s.behind(s.judge(at))
		if !ok {
			return candidate{}, false
		}
		return s.givenUp(c), true
	}
	return candidate{}, false
}

// refined asks in turn what else a log may tell about a death: what the exception carried, what came first, what names more.
func (s *story) refined(c candidate) candidate {
	for _, refine := range []func(candidate) candidate{
		s.ofWrite, s.rethrown, s.firstTry, s.initialized, s.ofTask, s.better, s.fuller, s.later, s.givenUp, s.masked, s.leftBy,
		s.unidentified, s.named,
	} {
		c = refine(c)
	}
	return c
}

// judge says what the exception of one entry means.
func (s *story) judge(at int) candidate {
	e := &s.entries[at]
	if v, links, is := crashed(e); is {
		return candidate{at: at, end: at, links: links, verdict: v}
	}
	c := candidate{at: at, end: at}
	c.links, c.verdict = unhandled(s.chain(at))
	switch {
	case len(c.links) == 0 && effectMessage.MatchString(e.message):
		said := &link{message: e.message, text: e.message}
		c.verdict = verdict{meaning: Consequence{}, strength: EffectOnly, class: cause.Unknown, root: said}
	case c.verdict.guessed() && notStarted(e, c.links):
		c.verdict.class, c.verdict.meaning = cause.Configuration, SparkNotStarted{By: c.verdict.meaning}
		c.verdict.strength = max(c.verdict.strength, Plausible) // it says itself that it ends for this
	}
	ends := e.uncaught != caught || givesUp.MatchString(e.message) || ofMemory(e)
	c.proven = ends && c.verdict.strength >= OwnCode && !s.mayGoOn(&c) && !s.mayFollow(&c) && !s.halfRead(at)
	s.attribute(&c)
	return c
}

// mayGoOn reports whether the log was cut where an exception stands: "Caused by" comes last, and would say more than what carries it. At
// level INFO, something is said after it, if only by the hook that deletes temporary directories (core/src/main/scala/org/apache/spark/
// util/ShutdownHookManager.scala@v3.5.5). Python says first what came first.
func (s *story) mayGoOn(c *candidate) bool {
	root := c.verdict.root
	return c.verdict.strength == OwnCode && s.begun >= 0 && c.at == len(s.entries)-1 && root != nil && !root.python
}

// mayFollow reports whether what came before an exception was cut off, of which it may be a consequence: Spark speaks at level INFO and its
// first words are not there. An exception that means one thing alone needs none of that.
func (s *story) mayFollow(c *candidate) bool {
	informs := s.work >= 0 || s.registered >= 0 || s.wrote >= 0
	return c.verdict.strength == OwnCode && s.begun < 0 && informs
}

// halfRead reports whether a log begins within a traceback of Python: what was cut off may be another exception, which this one came up in
// the handling of. A script that does not compile has no frame with a function, and no line that begins its traceback.
func (s *story) halfRead(at int) bool {
	called := strings.Contains(s.entries[at].first, ", in ")
	return s.entries[at].headless && called && !slices.ContainsFunc(s.entries[:at], func(e entry) bool {
		return e.level != plain || strings.HasPrefix(e.first, "+")
	})
}

// unhandled is what a chain means, and which of its exceptions: where Python handled the first of them and others came up meanwhile, those
// that tell why. One that only says that a job was given up ended the work all the same: why stands elsewhere in the log, and not in what
// its handler failed at.
func unhandled(links []link) ([]link, verdict) {
	out, meant := links, judged(links)
	if own := ofSparkFirst(links); own != nil {
		v := judged(own)
		if ofJob := v.root != nil && failedTimes.MatchString(v.root.message); ofJob || v.strength > Unclear {
			out, meant = own, v
		}
	}
	if second := madeUpFor(out); second != nil {
		if v := judged(second); v.strength > EffectOnly {
			v.before = rootOf(out).throwable()
			out, meant = second, v
		}
	}
	return out, meant
}

// guessed reports whether an exception speaks, but the catalogue does not know it, and nothing else tells what it means.
func (v *verdict) guessed() bool {
	unexplained := v.class == cause.CodeFailed || v.class == cause.Unknown
	return v.strength > EffectOnly && unexplained && v.signature() == "" && v.root.message != ""
}

// attribute says of which task a candidate is, and on which executor it ran.
func (s *story) attribute(c *candidate) {
	e, at := &s.entries[c.at], c.at
	text := e.message + "\n" + strings.Join(e.extra[:min(len(e.extra), 20)], "\n")
	if m := failedTimes.FindStringSubmatch(text); m != nil {
		c.tried = attemptsOf(m[1:])
	}
	if m := lostTask.FindStringSubmatch(text); m != nil {
		c.executor = m[3] + m[4] + m[5]
	}
	if c.executor == "" && c.tried.Times != 0 {
		for _, t := range s.tasks {
			if t.at < at && c.tries(t) {
				c.executor = t.executor
			}
		}
	}
}

// notStarted reports whether Spark says that it cannot start, or raised an exception while it did.
func notStarted(e *entry, links []link) bool {
	return strings.HasPrefix(e.message, "Error initializing SparkContext") || strings.Contains(e.message, executorUnmade) || starting(links)
}

// executorUnmade is what an executor says that ends because it cannot start: for a resource, a plugin, a service that it registers with
// (core/src/main/scala/org/apache/spark/executor/CoarseGrainedExecutorBackend.scala@v3.5.5).
const executorUnmade = "Unable to create executor due to "

// starting reports whether Spark raised an exception while it started, or before: the work of the application had not begun.
func starting(links []link) bool {
	return !raisedByOwn(rootOf(links)) && slices.ContainsFunc(links, func(l link) bool {
		return slices.ContainsFunc(l.frames, func(f frame) bool {
			return f.name == "org.apache.spark.SparkContext.<init>" || hasPrefix(f.name, "org.apache.spark.util.DependencyUtils$.",
				"org.apache.spark.deploy.SparkSubmit.prepareSubmitEnvironment")
		})
	})
}

// better looks for a plain word on what a process gave up at, where its exception leaves room for another cause.
func (s *story) better(c candidate) candidate {
	if c.verdict.strength >= OwnCode {
		return c
	}
	for at := c.at - 1; at >= 0 && at > s.work && at > c.at-maxSpoken; at-- {
		if strings.HasPrefix(s.entries[at].message, "Lost ") {
			continue // it was tried again; if the job was given up for it, that says so
		}
		v := lineVerdict(&s.entries[at])
		compatible := c.verdict.signature() == "" || v.class == c.verdict.class
		if compatible && v.strength == Certain {
			return s.inFull(candidate{at: at, end: c.at, links: c.links, verdict: v, proven: s.entries[at].level == plain})
		}
		if v.strength == Plausible && v.signature() != "" && v.signature() != c.verdict.signature() && c.verdict.signature() != "" &&
			s.entries[at].level == plain {
			earlier := v.finding()
			c.verdict.earlier = &earlier
			c.before = append(c.before, at)
			return c
		}
	}
	return c
}

// inFull takes the exceptions of an entry whose words the catalogue knows, where they mean the same: they name what the line alone does
// not. An exception among them that ended the process, too, which then shortened its message, is the very one.
func (s *story) inFull(c candidate) candidate {
	links := s.chain(c.at)
	if len(links) == 0 {
		return c
	}
	v := judged(links)
	if v.signature() != c.verdict.signature() || v.strength != c.verdict.strength {
		return c
	}
	ended := c.links
	same := func(l link) bool {
		return len(l.message) >= shortestName && slices.ContainsFunc(ended, func(e link) bool {
			return e.class == l.class && len(e.message) >= shortestName && strings.HasPrefix(l.message, e.message)
		})
	}
	c.links, c.verdict, c.proven = links, v, c.proven || slices.ContainsFunc(links, same)
	return c
}

// overcame reports whether the driver got on after it had lacked executors: one came, if only to fail, a task or a job finished, or
// a driver that had some began its last job.
func (s *story) overcame(at int) bool {
	beganJob := s.registered >= 0 && at < s.work
	return beganJob || at < max(s.registered, s.created, s.wrote) || s.finished.at.After(s.timeOf(at))
}

// refused is why the driver got no executors, where none came after it.
func (s *story) refused(how outcome) (candidate, bool) {
	last := len(s.refusals) - 1
	workedUntilSignal := how == signaled && s.registered >= 0
	if last < 0 || workedUntilSignal || s.overcame(s.refusals[last]) {
		return candidate{}, false
	}
	c := s.judge(s.refusals[0])
	if c.verdict.strength < Unclear {
		return candidate{}, false
	}
	c.proven = c.verdict.strength == Certain
	c.end = -1
	return c, true
}
