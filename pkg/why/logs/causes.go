// Package logs finds in the logs of an application what failed first.
package logs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

const (
	driverRole   = string(cause.DriverRole)
	executorRole = string(cause.ExecutorRole)
)

// Causes returns what failed first by the logs: of each log one cause at most, logs of drivers first, and of these the latest run.
// A log in which nothing failed has none. A log whose ending was digested before is not read again.
func Causes(e *app.Evidence, digested ...*Ending) []cause.Cause {
	pods := podsByName(e)
	logs := ordered(e.Logs, pods)
	driver := driverState{end: applicationEnd(e.Application)}
	var out []cause.Cause
	seen := map[sameFailure]int{} // by executors, where in out
	for i := range logs {
		log := &logs[i]
		if ofSidecar(log, pods) || earlier(log, pods) {
			continue
		}
		s := storyOf(e, log, digested)
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
		if log.Role != executorRole {
			out = append(out, made(s, &c, log))
			continue
		}
		one, adds := driver.fromExecutor(s, &c, log)
		if !adds {
			continue
		}
		key := alike(&one)
		if at, before := seen[key]; before { // executors tend to fail alike
			if len(out[at].Evidence) < maxProofs {
				out[at].Evidence = append(out[at].Evidence, one.Evidence[0])
			}
			continue
		}
		seen[key] = len(out)
		out = append(out, one)
	}
	return out
}

// storyOf reads a log, if it is not among those that were read before.
func storyOf(e *app.Evidence, log *app.Log, digested []*Ending) *story {
	for _, end := range digested {
		if end.log != nil && *end.log == *log {
			return end.story
		}
	}
	return read(log.Head, log.Tail, ClockOf(e, log))
}

// sameFailure is what two executors have in common that failed alike.
type sameFailure struct {
	mechanism cause.ID
	root      Throwable
	frame     Place
	names     string // groups of the signature, endpoints, or the executors that were lost
}

// alike is what tells whether executors failed alike. The end of a long message may be about one of them.
func alike(c *cause.Cause) sameFailure {
	const enough = 240
	f, _ := c.Detail.(Failure)
	names := slices.Clone(f.Endpoints.Names)
	f.Root.Message = Cut(f.Root.Message, enough)
	switch m := f.Meaning.(type) {
	case Known:
		for _, name := range slices.Sorted(maps.Keys(m.Groups)) {
			names = append(names, name+"="+m.Groups[name])
		}
	case ExecutorsLost: // for whatever a job ran into then
		names, f.Root = append(names, fmt.Sprint(f.Lost)), Throwable{}
	}
	return sameFailure{mechanism: f.Mechanism(), root: f.Root, frame: f.Frame, names: strings.Join(names, "\n")}
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
	if log.Previous || d.read || s.init { // a native sidecar is an init container, and goes on after the driver
		return
	}
	d.read = true
	d.registered = s.registered >= 0
	d.last = s.last
	d.futile = len(s.losses) >= often && s.jobs == 0 && s.finished.at.IsZero()
	if how != unknownEnd {
		d.end = how
	}
}

// leaves reports whether executors that fail are no fault: the job succeeded, or goes on with other executors. It does not go
// on where each is lost before it finishes a task.
func (d *driverState) leaves() bool {
	switch d.end {
	case succeeded:
		return true
	case running:
		hasOthers := d.registered && !d.futile
		return hasOthers || !d.read
	default:
		return false
	}
}

// waited reports whether the driver was there for an executor at a time, and none had reached it. Once a driver has ended, executors do
// not find it, and that is nothing but a consequence.
func (d *driverState) waited(at time.Time) bool {
	if !d.read || d.registered {
		return false
	}
	wroteLater := !at.IsZero() && d.last.After(at)
	return wroteLater || d.end == running
}

// fromExecutor is the cause that the log of an executor tells. One that tells only consequences adds nothing.
func (d *driverState) fromExecutor(s *story, c *candidate, log *app.Log) (cause.Cause, bool) {
	host := log.DriverHost()
	target := toDriver(c, host)
	if target == nil {
		one := made(s, c, log)
		return one, !one.Effect
	}
	if !d.waited(s.timeOf(c.at)) {
		return cause.Cause{}, false
	}
	c.proven = false
	found := verdict{meaning: unreached(target, host), strength: Plausible, class: cause.Network, root: target}
	return caused(s, c, &found, placeOf(log)), true
}

// FromText returns the cause that a text tells which quotes the output of spark-submit, as the operator's errorMessage does, where the
// catalogue knows it, or a team's own signatures do.
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
	if c, ok = s.byOwn(own, c, ok, failed); !ok || c.verdict.signature() == "" {
		return nil
	}
	return []cause.Cause{caused(s, &c, &c.verdict, place{subject: subject, field: "status.applicationState.errorMessage"})}
}

// place is where lines stand, and who wrote them.
type place struct {
	subject   snapshot.Ref
	container string
	field     string
	role      cause.Role
}

func placeOf(log *app.Log) place {
	field := "log " + log.Container
	if log.Previous {
		field += " (previous)"
	}
	return place{subject: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: log.Namespace, Name: log.Pod}, container: log.Container,
		field: field, role: cause.Role(log.Role)}
}

// maxProofs bounds what is quoted for one cause.
const maxProofs = 10

// made is the cause that a candidate is.
func made(s *story, c *candidate, log *app.Log) cause.Cause {
	return caused(s, c, &c.verdict, placeOf(log))
}

// caused is the cause that the lines of a candidate show, by a verdict.
func caused(s *story, c *candidate, v *verdict, in place) cause.Cause {
	f := Failure{Finding: v.finding(), In: in.role, Executor: c.executor, Attempts: c.tried, Lost: c.lost, After: c.after,
		Identity: c.identity, Package: c.installed, Endpoints: c.endpoints, Chain: throwables(c.links)}
	if first := slices.IndexFunc(s.tasks, c.tries); first >= 0 {
		f.FirstTry = s.timeOf(s.tasks[first].at)
	}
	if _, is := v.meaning.(ExecutorsLost); is && fetches(c.links) {
		f.GivenUp = s.stageGivenUp()
	}
	out := cause.Cause{
		Class:     v.class,
		Role:      f.role(),
		Topics:    f.topics(),
		Certainty: check.Likely,
		Subject:   in.subject,
		Container: in.container,
		Executors: executorsOf(c, v),
		At:        s.timeOf(c.at),
		Trust:     cause.ByDriverLog,
		Effect:    v.strength == EffectOnly || v.class == cause.Unknown,
		Signature: c.verdict.signature(),
	}
	if c.proven && !out.Effect {
		out.Certainty = check.Proven
	}
	if in.role == cause.ExecutorRole {
		out.Trust = cause.ByExecutorLog
	}
	for _, q := range s.quoted(c) {
		f.Lines = append(f.Lines, q.line)
		out.Evidence = append(out.Evidence, cause.Proof{Object: in.subject, Field: in.field, Value: q.text, At: q.at})
	}
	if known, is := f.Meaning.(Known); is && known.Signature.File != "" {
		out.SignatureFile, out.Signature = known.Signature.File, known.Signature.File+"#"+known.Signature.ID
	}
	f.told()
	if !f.Connection.TimedOut && v.strength < Certain {
		f.Before = s.unconnectedBefore(c, f.Root.Class, in)
	}
	f.Absent.Earlier = s.missedBefore(c, in)
	out.Detail = f
	return out
}
