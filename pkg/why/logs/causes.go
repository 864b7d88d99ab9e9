// Package logs finds in the logs of an application what failed first.
package logs

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

const (
	driverRole   = "driver"
	executorRole = "executor"
)

// Causes returns what failed first by the logs: of each log one cause at most, logs of drivers first, and of these the latest run.
// A log in which nothing failed has none.
func Causes(e *app.Evidence) []cause.Cause {
	pods := podsByName(e)
	logs := ordered(e.Logs, pods)
	driver := driverState{end: applicationEnd(e.Application)}
	var out []cause.Cause
	byMessage := map[string]int{}
	for i := range logs {
		log := &logs[i]
		if ofSidecar(log, pods) || earlier(log, pods) {
			continue
		}
		s := read(log.Head, log.Tail, ClockOf(e, log))
		s.init = initial(log, pods)
		how := endOf(log, pods, e.Application)
		if log.Role != executorRole {
			driver.take(log, s, how)
		} else if driver.leaves() {
			continue
		}
		c, ok := s.first(how)
		if c, ok = s.byOwn(e.Signatures, c, ok, how); !ok {
			continue
		}
		one := made(s, &c, log)
		if log.Role != executorRole {
			out = append(out, one)
			continue
		}
		// Executors tend to fail alike. One whose log tells only consequences adds nothing.
		if target, ok := toDriver(&c); ok && driver.waited(one.At) {
			one.Class, one.Effect, one.Certainty = cause.Network, false, check.Likely
			one.Message = "executors cannot connect to the driver: " + target
			one.Next = []command.Command{command.Do("check the headless Service of the driver and DNS, then NetworkPolicies and a service " +
				"mesh for ports 7078 and 7079 (Istio: traffic.sidecar.istio.io/excludeInboundPorts)")}
		} else if one.Effect || ok {
			continue
		}
		if at, seen := byMessage[one.Message]; seen {
			if len(out[at].Evidence) < maxProofs {
				out[at].Evidence = append(out[at].Evidence, one.Evidence[0])
			}
			continue
		}
		byMessage[one.Message] = len(out)
		out = append(out, one)
	}
	return out
}

// driverState is what executors' logs are read with.
type driverState struct {
	end        outcome
	read       bool // a log of it was read
	registered bool // executors reached it
	futile     bool // it lost executors again and again, and no task of it ever finished
	last       time.Time
}

func (d *driverState) take(log *app.Log, s *story, how outcome) {
	if log.Previous || d.read {
		return
	}
	d.read, d.registered, d.last = true, s.registered >= 0, s.last
	d.futile = len(s.losses) >= often && s.jobs == 0 && s.finished.at.IsZero()
	if how != unknownEnd {
		d.end = how
	}
}

// leaves reports whether executors that fail are no fault: the job succeeded, or goes on with other executors. It does not go
// on where each is lost before it finishes a task.
func (d *driverState) leaves() bool {
	return d.end == succeeded || d.end == running && (!d.read || d.registered && !d.futile)
}

// waited reports whether the driver was there for an executor at a time, and none had reached it. Once a driver has ended, executors do
// not find it, and that is nothing but a consequence.
func (d *driverState) waited(at time.Time) bool {
	return d.read && !d.registered && (d.end == running || !at.IsZero() && d.last.After(at))
}

// toDriver returns what an executor says that did not reach the driver.
func toDriver(c *candidate) (string, bool) {
	for i := range c.links {
		l := &c.links[i]
		connects := strings.HasSuffix(l.class, "UnknownHostException") || strings.HasPrefix(l.message, "Failed to connect to") ||
			strings.HasPrefix(l.message, "Connecting to ")
		if connects && strings.Contains(l.message, "-driver-svc") {
			return described(l), true
		}
	}
	return "", false
}

// FromText returns the cause that a text tells which quotes the output of spark-submit, as the operator's errorMessage does. What no
// built-in signature explains, a team's own may.
func FromText(text string, subject snapshot.Ref, own *catalog.Set) []cause.Cause {
	if !strings.Contains(text, "\n") {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
	}
	for _, start := range []string{`Exception in thread "`, tracebackLine} {
		if i := strings.Index(text, start); i > 0 && text[i-1] != '\n' {
			text = text[:i] + "\n" + text[i:]
		}
	}
	s := read("", text, Clock{})
	c, ok := s.first(failed)
	if c, ok = s.byOwn(own, c, ok, failed); !ok || c.words {
		return nil
	}
	if (c.verdict.class == cause.CodeFailed || c.verdict.class == cause.Unknown) && c.verdict.signature == "" && c.verdict.root != nil {
		// The code of an application does not run yet.
		c.verdict.class, c.verdict.says = cause.Submission, "spark-submit failed: "+described(c.verdict.root)
	}
	log := &app.Log{}
	one := made(s, &c, log)
	one.Subject = subject
	for i := range one.Evidence {
		one.Evidence[i].Object, one.Evidence[i].Field = subject, "status.applicationState.errorMessage"
	}
	return []cause.Cause{one}
}

// maxProofs bounds what is quoted for one cause.
const maxProofs = 10

// made is the cause that a candidate is.
func made(s *story, c *candidate, log *app.Log) cause.Cause {
	out := cause.Cause{
		Class:     c.verdict.class,
		Certainty: check.Likely,
		Message:   c.message(log.Role),
		Subject:   snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: log.Namespace, Name: log.Pod},
		At:        s.timeOf(c.at),
		Next:      c.steps(log.Role),
		Trust:     cause.ByDriverLog,
		Effect:    c.verdict.strength == effectOnly || c.verdict.class == cause.Unknown,
		Signature: c.verdict.signature,
	}
	if c.proven && !out.Effect {
		out.Certainty = check.Proven
	}
	if log.Role == executorRole {
		out.Trust = cause.ByExecutorLog
	}
	if c.verdict.strength == effectOnly && !c.words {
		out.Message = "the log tells only consequences: " + out.Message
	}
	field := "log " + log.Container
	if log.Previous {
		field += " (previous)"
	}
	for _, q := range s.quoted(c) {
		out.Evidence = append(out.Evidence, cause.Proof{Object: out.Subject, Field: field, Value: q.text, At: q.at})
	}
	return ofFile(out, c.verdict.file)
}
