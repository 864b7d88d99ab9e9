package logs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	driverRole   = "driver"
	executorRole = "executor"
)

// Causes returns what failed first by the logs: of each log one cause at most, logs of drivers first, and of these the latest run.
// A log in which nothing failed has none.
func Causes(e *evidence.Evidence) []cause.Cause {
	pods := podsByName(e)
	logs := ordered(e.Logs, pods)
	driver := driverState{end: applicationEnd(e.Application)}
	var out []cause.Cause
	byMessage := map[string]int{}
	for i := range logs {
		log := &logs[i]
		if aside(log, pods) {
			continue
		}
		s := tell(read(log.Head, log.Tail))
		how := endOf(log, pods, e.Application)
		if log.Role != executorRole {
			driver.take(log, s, how)
		} else if driver.leaves(s) {
			continue
		}
		c, ok := s.first(how)
		if !ok {
			continue
		}
		one := made(s, &c, log)
		if log.Role != executorRole {
			out = append(out, one)
			continue
		}
		// Executors tend to fail alike. One whose log tells only consequences adds nothing.
		if one.Effect || driver.end != running && driverUnreachable(&c) {
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
}

func (d *driverState) take(log *evidence.Log, s *story, how outcome) {
	if log.Previous || d.read {
		return
	}
	d.read, d.registered = true, s.registered >= 0
	if how != unknownEnd {
		d.end = how
	}
}

// leaves reports whether executors that fail are no fault: the job succeeded, or goes on with others.
func (d *driverState) leaves(*story) bool {
	return d.end == succeeded || d.end == running && (!d.read || d.registered)
}

// driverUnreachable reports whether an executor did not find the driver's Service, as is to be expected once the driver has ended.
func driverUnreachable(c *candidate) bool {
	return c.verdict.root != nil && strings.Contains(c.verdict.root.message, "-driver-svc")
}

func podsByName(e *evidence.Evidence) map[string]*corev1.Pod {
	pods := map[string]*corev1.Pod{}
	for i := range e.Pods {
		pods[e.Pods[i].Namespace+"/"+e.Pods[i].Name] = &e.Pods[i]
	}
	return pods
}

// ordered sorts logs without regard to the order in which they were read: drivers, the latest pod first, the running container before
// the previous one, then by name.
func ordered(logs []evidence.Log, pods map[string]*corev1.Pod) []evidence.Log {
	logs = slices.Clone(logs)
	created := func(l evidence.Log) time.Time {
		if pod := pods[l.Namespace+"/"+l.Pod]; pod != nil {
			return pod.CreationTimestamp.Time
		}
		return time.Time{}
	}
	rank := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(logs, func(a, b evidence.Log) int {
		if n := rank(a.Role == executorRole) - rank(b.Role == executorRole); n != 0 {
			return n
		}
		if n := rank(a.Role != driverRole) - rank(b.Role != driverRole); n != 0 {
			return n
		}
		if n := created(b).Compare(created(a)); n != 0 {
			return n
		}
		if n := rank(a.Previous) - rank(b.Previous); n != 0 {
			return n
		}
		return strings.Compare(a.Namespace+"/"+a.Pod+"/"+a.Container+a.Tail, b.Namespace+"/"+b.Pod+"/"+b.Container+b.Tail)
	})
	return logs
}

// aside reports whether the log is of a container that runs beside Spark's in its pod: what fails there is no failure of the application.
func aside(log *evidence.Log, pods map[string]*corev1.Pod) bool {
	pod := pods[log.Namespace+"/"+log.Pod]
	if pod == nil || strings.HasPrefix(log.Container, "spark-kubernetes-") {
		return false
	}
	of := func(name string) bool {
		return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	}
	return of(log.Container) && (of("spark-kubernetes-driver") || of("spark-kubernetes-executor"))
}

// endOf is how the container of a log ended.
func endOf(log *evidence.Log, pods map[string]*corev1.Pod, app *unstructured.Unstructured) outcome {
	pod := pods[log.Namespace+"/"+log.Pod]
	if pod == nil {
		if log.Role == driverRole {
			return applicationEnd(app)
		}
		return unknownEnd
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if status.Name != log.Container {
			continue
		}
		state := status.State
		if log.Previous {
			state = status.LastTerminationState
		}
		return endOfState(state)
	}
	return unknownEnd
}

func endOfState(state corev1.ContainerState) outcome {
	switch {
	case state.Running != nil:
		return running
	case state.Terminated == nil:
		return unknownEnd
	case state.Terminated.ExitCode == 0:
		return succeeded
	case state.Terminated.ExitCode == 137 || state.Terminated.ExitCode == 143:
		return signaled
	default:
		return failed
	}
}

// applicationEnd is what the operator says of the driver. FAILED tells nothing that the log must agree with.
func applicationEnd(app *unstructured.Unstructured) outcome {
	if app == nil {
		return unknownEnd
	}
	word, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
	switch word {
	case "COMPLETED", "SUCCEEDING":
		return succeeded
	case "RUNNING":
		return running
	default:
		return unknownEnd
	}
}

// FromText returns the cause that a text tells which quotes the output of spark-submit, as the operator's errorMessage does.
func FromText(text string, subject snapshot.Ref) []cause.Cause {
	if !strings.Contains(text, "\n") {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
	}
	for _, start := range []string{`Exception in thread "`, tracebackLine} {
		if i := strings.Index(text, start); i > 0 && text[i-1] != '\n' {
			text = text[:i] + "\n" + text[i:]
		}
	}
	s := tell(read("", text))
	c, ok := s.first(failed)
	if !ok {
		return nil
	}
	log := &evidence.Log{}
	one := made(s, &c, log)
	one.Subject = subject
	for i := range one.Evidence {
		one.Evidence[i].Object, one.Evidence[i].Field = subject, "status.applicationState.errorMessage"
	}
	return []cause.Cause{one}
}

// maxProofs bounds what is quoted for one cause.
const maxProofs = 8

// made is the cause that a candidate is.
func made(s *story, c *candidate, log *evidence.Log) cause.Cause {
	out := cause.Cause{
		Class:     c.verdict.class,
		Certainty: check.Likely,
		Message:   c.message(log.Role),
		Subject:   snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: log.Namespace, Name: log.Pod},
		At:        s.timeOf(c.at),
		Next:      c.steps(log.Role),
		Trust:     cause.ByDriverLog,
		Effect:    c.verdict.strength == effectOnly,
		Signature: c.verdict.signature,
	}
	if c.proven && !out.Effect {
		out.Certainty = check.Proven
	}
	if log.Role == executorRole {
		out.Trust = cause.ByExecutorLog
	}
	if out.Effect {
		out.Message = "the log tells only consequences: " + out.Message
	}
	field := "log " + log.Container
	if log.Previous {
		field += " (previous)"
	}
	for _, q := range s.quoted(c) {
		out.Evidence = append(out.Evidence, cause.Proof{Object: out.Subject, Field: field, Value: q.text, At: q.at})
	}
	return out
}

// quote is a line that shows something.
type quote struct {
	text string
	at   time.Time
}

const maxQuote = 600

// quoted returns the lines that show a candidate: where it is told, the exceptions of its chain, the frame of the application, and where
// the process gave up.
func (s *story) quoted(c *candidate) []quote {
	var out []quote
	add := func(text string, at time.Time) {
		text = shortened(strings.Join(strings.Fields(text), " "), maxQuote)
		if text == "" || len(out) >= maxProofs || slices.ContainsFunc(out, func(q quote) bool { return strings.Contains(q.text, text) }) {
			return
		}
		out = append(out, quote{text, at})
	}
	at := s.timeOf(c.at)
	e := &s.entries[c.at]
	add(e.first, at)
	if len(c.losses) > 0 {
		for _, line := range e.extra[:min(len(e.extra), 30)] {
			given := endReason.MatchString(line) && !strings.HasSuffix(line, "null") && !strings.HasSuffix(line, "N/A")
			if given || exitCode.MatchString(line) || strings.Contains(line, "deleted by a user") {
				add(line, at)
			}
		}
	}
	// The root comes first in the chain.
	for i := len(c.links) - 1; i >= 0; i-- {
		if i == 0 || i >= len(c.links)-3 || &c.links[i] == c.verdict.root {
			add(c.links[i].text, at)
		}
	}
	if c.verdict.root != nil {
		add(c.verdict.root.message, at)
	}
	if c.verdict.frame != nil {
		add(c.verdict.frame.text, at)
	}
	if c.end >= 0 && c.end != c.at {
		add(s.entries[c.end].first, s.timeOf(c.end))
	}
	if len(c.losses) > 1 {
		last := c.losses[len(c.losses)-1].at
		add(s.entries[last].first+" ("+strconv.Itoa(len(c.losses))+" in all)", s.timeOf(last))
	}
	return out
}

// timeOf is when an entry was written. What no logger wrote came after the line before it.
func (s *story) timeOf(at int) time.Time {
	for ; at >= 0; at-- {
		if !s.entries[at].at.IsZero() {
			return s.entries[at].at
		}
	}
	return time.Time{}
}
