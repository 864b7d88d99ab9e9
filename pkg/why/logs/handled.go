package logs

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// givesUpJob matches what is said when a job is given up for a task: by Spark (core/src/main/scala/org/apache/spark/scheduler/
// TaskSetManager.scala and DAGScheduler.scala@v3.5.5), or by an application that retells it.
var givesUpJob = lazyregexp.New(`\bTask \d+ in stage \d+\.\d+ failed \d+ times(?:; aborting job|, most recent failure|$|[.,;])`)

// afterAbort is how long the code of an application takes, at most, to say in words of its own that a job of it was given up.
const afterAbort = time.Minute

// sequel is how an application failed in the end, as far as that tells of a job of it that was given up before.
type sequel int

const (
	ofNoJob    sequel = iota
	inOwnWords        // in words of its own, which may be about the job
	inHandler         // while it handled the exception of the job, which Python says
	elsewhere         // at something that is not of Spark
)

// sequelOf says which of them a candidate is.
func (s *story) sequelOf(c *candidate) sequel {
	switch {
	case s.handles(c):
		return inHandler
	case c.verdict.class == cause.CodeFailed && c.tried.Times == 0:
		return inOwnWords
	case s.elsewhere(c):
		return elsewhere
	default:
		return ofNoJob
	}
}

// givenUp finds why a job was given up, where the application caught that, began no other job, and then failed in words of its own, or
// at what its handler did.
func (s *story) givenUp(c candidate) candidate {
	how := s.sequelOf(&c)
	if how == ofNoJob {
		return c
	}
	at, is := s.givesUp(c.at)
	if !is {
		return c.untoldIf(how == inHandler, Untold{})
	}
	given := s.judge(at)
	if s.threw(given) {
		return c.ledTo(s.ofTask(given), how)
	}
	if lost, ok := s.lost(given, s.entries[at].message, s.about(given, s.entries[at].message)); ok {
		lost.end, lost.proven = c.at, lost.proven && how != elsewhere
		return lost
	}
	if how == elsewhere {
		return c
	}
	noTry := given.tried.Times != 0 && !slices.ContainsFunc(s.tasks, given.tries)
	return c.untoldIf(noTry || how == inHandler, Untold{Job: noTry})
}

// givesUp is where Spark or the application says that the job at work was given up, shortly before a position.
func (s *story) givesUp(before int) (int, bool) {
	for at := before - 1; at > s.work; at-- {
		if e := &s.entries[at]; e.level >= warn && givesUpJob.MatchString(e.message) {
			return at, s.timeOf(before).Sub(s.timeOf(at)) <= afterAbort
		}
	}
	return -1, false
}

// ledTo is the failure of a task for which a job was given up, where the candidate followed from it; else the candidate.
func (c candidate) ledTo(task candidate, how sequel) candidate {
	follows := how == inHandler || c.retells()
	switch {
	case how == elsewhere && task.verdict.strength == Certain:
		task.proven = false
		task.after = Aftermath{How: FailedLater, With: c.verdict.root.throwable()}
	case follows && task.verdict.strength > Unclear:
		task.proven = task.proven && how == inHandler
	default:
		return c // may be unlike what the application then found
	}
	task.end = c.end
	return task
}

// untoldIf is the candidate, or if a job failed before it whose cause the log does not tell, that.
func (c candidate) untoldIf(is bool, job Untold) candidate {
	if !is {
		return c
	}
	job.Then = c.verdict.finding()
	c.verdict = verdict{meaning: job, strength: EffectOnly, class: cause.Unknown, root: c.verdict.root}
	return c
}

// handles reports whether Python says that the exception came up while another was handled: that of a job, which the JVM threw.
func (s *story) handles(c *candidate) bool {
	links := s.chain(c.at)
	if len(ofSparkFirst(links)) != 1 {
		return false
	}
	return c.verdict.root == nil || c.verdict.root.class != links[0].class
}

// ofSpark reports whether PySpark raised the exception, of its own or for one of the JVM.
func ofSpark(l link) bool {
	return strings.HasSuffix(l.class, "Py4JJavaError") || hasPrefix(l.class, "pyspark.")
}

// ofSparkFirst are the exceptions of a call of Spark, where only others came up while Python handled them; else nil. Where one
// of them is of Spark as well, the chain is read as a whole. What follows a PythonException are those of the worker, which it quotes.
func ofSparkFirst(links []link) []link {
	at := slices.IndexFunc(links, func(l link) bool { return l.python && ofSpark(l) && !strings.HasSuffix(l.class, "PythonException") })
	again := func(l link) bool { return !l.python || ofSpark(l) }
	if at < 0 || at == len(links)-1 || slices.ContainsFunc(links[at+1:], again) {
		return nil
	}
	return links[:at+1]
}

// absent matches what an application may look for before it makes it, in the words of Spark (common/utils/src/main/resources/error/
// error-conditions.json@v4.0.0, sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryCompilationErrors.scala@v3.3.0).
var absent = lazyregexp.New(`^\[?(?:TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|PATH_NOT_FOUND|DELTA_(?:TABLE|PATH)_\w*NOT_\w+)\b` +
	`|^Table or view not found: |^Path does not exist: |^Database '\S+' not found|\bis not a Delta table\b`)

// madeUpFor are the exceptions of a second call of Spark, where the first call only found that something is not there: Python handled that,
// and what it did instead failed. Else nil.
func madeUpFor(links []link) []link {
	at := slices.IndexFunc(links, func(l link) bool { return l.python && ofSpark(l) })
	missing := func(l link) bool { return absent.MatchString(l.message) }
	if at < 0 || !slices.ContainsFunc(links[:at+1], missing) {
		return nil
	}
	second := links[at+1:]
	if !slices.ContainsFunc(second, ofSpark) || slices.ContainsFunc(second, missing) {
		return nil
	}
	return second
}

// elsewhere reports whether nothing of Spark is in what ended the application: it called something else.
func (s *story) elsewhere(c *candidate) bool {
	if c.tried.Times != 0 || c.verdict.root == nil || c.verdict.root.class == "" {
		return false
	}
	return !slices.ContainsFunc(s.chain(c.at), func(l link) bool {
		return hasPrefix(l.class, "org.apache.spark.", "pyspark.", "py4j.") || slices.ContainsFunc(l.frames, func(f frame) bool {
			return hasPrefix(f.name, "org.apache.spark.sql.", "org.apache.spark.rdd.")
		})
	})
}

// retellsFailure matches the words of an application that counts or reports what failed before.
var retellsFailure = lazyregexp.New(`(?i)\b(?:\d+ (?:\w+ ){0,2}failed|failed (?:steps?|tasks?|jobs?|stages?|tables?)` +
	`|(?:step|job|run|stage|task|pipeline)` +
	`(?: \S+){0,3} (?:has )?(?:failed|aborted))\b`)

func (c *candidate) retells() bool {
	return c.verdict.root != nil && retellsFailure.MatchString(c.verdict.root.message)
}

// threw reports whether a try of the task that a job was given up for failed with an exception of its own.
func (s *story) threw(c candidate) bool {
	return slices.ContainsFunc(s.tasks, func(t taskFailure) bool {
		return c.tries(t) && judged(s.chain(t.at)).strength > EffectOnly
	})
}

// leftBy finds the earlier failure that left what the application failed at in the end: an output that it did not write, rows of a first
// try. Both name it.
func (s *story) leftBy(c candidate) candidate {
	if !c.verdict.leftover() || c.verdict.root == nil {
		return c
	}
	names := longNames(strings.ReplaceAll(c.verdict.root.message, "`", ""))
	for at := range c.at {
		e := &s.entries[at]
		given := s.gave(at, c.at)
		tooMild := e.level == warn && !given
		if e.level.belowWarn() || tooMild {
			continue
		}
		first := s.judge(at)
		unclear := given && first.verdict.strength == Unclear
		known := unclear || first.verdict.strength >= Plausible
		if len(first.links) == 0 || !known || first.verdict.leftover() || !first.verdict.class.Fault() {
			continue
		}
		text := e.message + "\n" + strings.Join(e.extra, "\n")
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) }) {
			first.end, first.proven = c.end, false
			first.after = Aftermath{How: FailedAtRest, With: c.verdict.root.throwable()}
			return first
		}
	}
	return c
}

// gave reports whether an entry is a try of a task for which a job was given up, before another entry. A later job may have a task of the
// same number.
func (s *story) gave(at, before int) bool {
	i := slices.IndexFunc(s.attempts, func(t taskFailure) bool { return t.at == at })
	if i < 0 {
		return false
	}
	for k := at + 1; k < before; k++ {
		if m := failedTimes.FindStringSubmatch(s.entries[k].message); m != nil && attemptsOf(m[1:]).of(s.attempts[i]) {
			return true
		}
	}
	return false
}

// longNames are the names of paths and tables in a message.
func longNames(message string) (out []string) {
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(" ,;()[]{}'\"`\n", r) }) {
		word = strings.TrimRight(word, ".:/")
		if len(word) >= shortestName && strings.ContainsAny(word, "/.") && !throwableName.MatchString(word+":") {
			out = append(out, word)
		}
	}
	return out
}

// shortestName is how long a name must be that two errors have in common by more than chance.
const shortestName = 8
