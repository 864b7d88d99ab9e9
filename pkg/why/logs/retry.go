package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// leftover is what a later try of a task says of the output of an earlier one (sql/core/src/main/scala/org/apache/spark/sql/execution/
// datasources/FileFormatWriter.scala@v3.5.5 gives such a task up).
var leftover = lazyregexp.New(`(?:^|\.)(?:FileAlreadyExistsException|TaskOutputFileAlreadyExistException|FileExistsError)$`)

// workerCrash is what is left to say of a Python worker that ended without a word, by its JVM or the kernel.
var workerCrash = lazyregexp.New(`^Python worker exited unexpectedly`)

// leaves reports whether a later try of a task fails with it, whatever the first one failed for.
func leaves(l link) bool { return leftover.MatchString(l.class) || workerCrash.MatchString(l.message) }

// failing is what an entry tells by its exceptions, as what failed before a position.
func (s *story) failing(at, end int) candidate {
	c := candidate{at: at, end: end, links: s.chain(at)}
	c.verdict = judged(c.links)
	c.proven = c.verdict.strength >= OwnCode
	return c
}

// ofTry is the same for a try of a task.
func (s *story) ofTry(t *taskFailure, end int, tried Attempts) candidate {
	c := s.failing(t.at, end)
	c.executor, c.tried = t.executor, tried
	return c
}

// firstTry finds why a task failed first, where its later tries failed at what the first one had left, or with less to say.
func (s *story) firstTry(c candidate) candidate {
	if c.tried.Times == 0 || !slices.ContainsFunc(c.links, leaves) {
		return c
	}
	for _, t := range s.tasks {
		if t.at >= c.at || !c.tries(t) {
			continue
		}
		first := s.ofTry(&t, c.at, c.tried)
		if slices.ContainsFunc(first.links, leaves) {
			return c
		}
		if first.verdict.strength >= Unclear {
			return first
		}
	}
	return c
}

// initialized finds why a class could not be initialized. The JVM says so of each later use; only the first failed for the cause
// (Java Virtual Machine Specification, SE 17, 5.5). It may have been a task of the same process, or an earlier try of the application.
func (s *story) initialized(c candidate) candidate {
	later := slices.IndexFunc(c.links, usesUninitialized)
	if later < 0 {
		return c
	}
	for _, t := range s.tasks {
		elsewhere := c.executor != "" && t.executor != c.executor
		if t.at >= c.at || elsewhere || !failsToInitialize(s.chain(t.at)) {
			continue
		}
		if first := s.ofTry(&t, c.at, c.tried); first.verdict.strength >= Plausible {
			return first
		}
	}
	class := strings.Fields(c.links[later].message[len(uninitialized):])
	if c.executor != "" || len(class) == 0 {
		return c
	}
	inside := func(f frame) bool { return strings.HasPrefix(f.name, class[0]+".<clinit>") }
	for at := range c.at {
		if s.entries[at].level.belowWarn() || len(s.entries[at].extra) == 0 {
			continue
		}
		links := s.chain(at)
		ofClass := slices.ContainsFunc(links, func(l link) bool { return slices.ContainsFunc(l.frames, inside) })
		if !ofClass || !failsToInitialize(links) {
			continue
		}
		if first := s.failing(at, c.at); first.verdict.strength >= Plausible {
			return first
		}
	}
	return c
}

// uninitialized is what the JVM says of a class whose initialization failed before.
const uninitialized = "Could not initialize class "

func usesUninitialized(l link) bool { return strings.HasPrefix(l.message, uninitialized) }

// failsToInitialize reports whether a chain is of the first use of a class, which tells the cause.
func failsToInitialize(links []link) bool {
	return slices.ContainsFunc(links, func(l link) bool { return initFails.MatchString(l.class) }) &&
		!slices.ContainsFunc(links, usesUninitialized)
}

// initFails matches what the first use of such a class throws.
var initFails = lazyregexp.New(`(?:^|\.)(?:NoClassDefFoundError|ExceptionInInitializerError|UnsatisfiedLinkError)$`)

// later looks for the frame of the application's code in what tells the same failure again: the thread that met it first may be Spark's.
func (s *story) later(c candidate) candidate {
	if c.verdict.frame != nil || c.verdict.root == nil || c.executor != "" {
		return c
	}
	for _, at := range s.deaths {
		if at <= c.at {
			continue
		}
		next := s.judge(at)
		same := next.verdict.root != nil && next.verdict.root.class == c.verdict.root.class && next.verdict.root.message == c.verdict.root.message
		if same && next.verdict.frame != nil {
			c.verdict.frame, c.end = next.verdict.frame, at
			return c
		}
	}
	return c
}

// fuller takes the words of an earlier line that the catalogue knows as the same: it may tell the numbers.
func (s *story) fuller(c candidate) candidate {
	known, is := c.verdict.meaning.(Known)
	if !is || c.verdict.strength != Certain || c.verdict.root == nil {
		return c
	}
	for at := c.at - 1; at >= 0 && at >= c.at-nearby; at-- {
		line, is := lineVerdict(&s.entries[at]).meaning.(Known)
		if is && line.Signature.ID == known.Signature.ID && line.tellsMore(known) {
			c.verdict.meaning = line
			c.before = append(c.before, at)
			return c
		}
	}
	return c
}

// tellsMore reports whether the message has a name or a number that another of the same signature lacks.
func (m Known) tellsMore(than Known) bool {
	for name, value := range m.Groups {
		if value != "" && than.Groups[name] == "" {
			return true
		}
	}
	return false
}

// identities matches the services that give a pod an identity in a cloud.
var identities = lazyregexp.New(`metadata\.google\.internal|169\.254\.169\.254|169\.254\.170\.(?:2|23)\b|\bsts\.[\w.-]*amazonaws\.com` +
	`|\blogin\.microsoftonline\.com`)

// unidentified says why no identity was found, where the log tells that before: the service that gives them was not reached. On a cluster
// elsewhere there is no such service, and to look for it is no fault, so that it is a part of the answer only.
func (s *story) unidentified(c candidate) candidate {
	if c.verdict.class != cause.Credentials || c.verdict.strength != Certain {
		return c
	}
	for at := max(0, c.at-4*nearby); at < c.at; at++ {
		for _, l := range s.chain(at) {
			unreached := hasSuffix(l.class, "UnknownHostException", "ConnectException", "NoRouteToHostException", "SocketTimeoutException")
			if name := identities.FindString(l.message); unreached && name != "" {
				c.identity = Unreached{Host: name, Class: l.class}
				c.before = append(c.before, at)
				return c
			}
		}
	}
	return c
}

// abortsJob is what Spark says of a task that failed too often
// (core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5).
var abortsJob = lazyregexp.New(`^Task (\d+) in stage (\d+)\.\d+ failed (\d+) times; aborting job`)

// ofTask takes what the tries of a task told, where that is more than what the job was given up with: an exception that carries none,
// such as "Writing job aborted", or the first line of a message of several.
func (s *story) ofTask(c candidate) candidate {
	nothing := c.carries() && c.tried.Times != 0 // that it was given up, with none of what failed
	if c.verdict.strength >= OwnCode && !nothing {
		return c
	}
	if c.tried.Times == 0 && c.carries() {
		c.tried = s.aborted(c.at)
	}
	for _, t := range slices.Backward(s.tasks) {
		if t.at >= c.at || !c.tries(t) {
			continue
		}
		one := s.ofTry(&t, c.end, c.tried)
		more := c.saysLess(&one.verdict) || nothing && one.verdict.strength > EffectOnly && one.verdict.names()
		if more && retells(c.verdict.root, one.links) {
			one.proven = one.proven && c.end >= 0
			c = one
		}
	}
	if c.carries() && c.tried.Times != 0 {
		if lost, ok := s.lost(c, "", s.about(c, "")); ok && lost.verdict.strength > EffectOnly {
			lost.end = c.end
			return lost
		}
	}
	return c
}

// abortsWrite is what Spark says of a write that it gives up, with the exception that it then carries in another
// (sql/core/src/main/scala/org/apache/spark/sql/execution/datasources/FileFormatWriter.scala@v3.5.5).
var abortsWrite = lazyregexp.New(`^Aborting job [0-9a-f-]{36}\b`)

// ofWrite takes what a write was given up for, where the exception that tells it came without the one that it carries.
func (s *story) ofWrite(c candidate) candidate {
	if !c.carries() {
		return c
	}
	for at := c.at - 1; at >= 0 && at > s.work && at >= c.at-nearby; at-- {
		if e := &s.entries[at]; e.level < failure || !abortsWrite.MatchString(e.message) {
			continue
		}
		told := s.judge(at)
		if behind, ok := s.behind(told); ok && told.verdict.strength <= EffectOnly {
			told = behind
		}
		if told.verdict.strength > EffectOnly && !told.carries() {
			told.end, told.proven = c.at, told.proven || told.verdict.strength >= OwnCode
			return told
		}
		return c
	}
	return c
}

// aborted is the task for which the job that ended at a position was given up; zero: the log names none.
func (s *story) aborted(at int) Attempts {
	for i := at - 1; i >= 0 && i > s.work && i >= at-nearby; i-- {
		if m := abortsJob.FindStringSubmatch(s.entries[i].message); m != nil && s.entries[i].level >= failure {
			return attemptsOf(m[1:])
		}
	}
	return Attempts{}
}

// retells reports whether an exception is one of a chain, or carries none and so can be of any.
func retells(root *link, links []link) bool {
	return root == nil || root.wraps() || slices.ContainsFunc(links, func(l link) bool { return l.class == root.class })
}

// saysLess reports whether a candidate says less of a failure than a verdict on one of its tries.
func (c *candidate) saysLess(v *verdict) bool {
	if v.strength != c.verdict.strength {
		return v.strength > c.verdict.strength
	}
	unwrapped := c.carries() && v.names()
	named := v.signature() != "" && c.verdict.signature() == ""
	return unwrapped || named
}

// carries reports whether all that is known is an exception that carries another, which the log left out.
func (c *candidate) carries() bool { return c.verdict.root != nil && c.verdict.root.wraps() }

// names reports whether an exception is known that does not only carry another.
func (v *verdict) names() bool { return v.root != nil && !v.root.wraps() }
