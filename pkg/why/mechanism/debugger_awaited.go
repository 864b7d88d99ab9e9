package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DebuggerAwaited is a JVM that waits for a debugger before it runs any code: the option that loads the debugger's agent says suspend=y,
// or says nothing of it. One with suspend=n prints the same line and goes on; with server=n it connects itself, and prints none; with
// onthrow or onuncaught it waits when that happens (src/jdk.jdwp.agent/share/native/libjdwp/debugInit.c of openjdk/jdk17u). A JVM to which
// a debugger has connected looks alike without its log.
type DebuggerAwaited struct {
	Role   cause.Role
	Option string     // as it is given: "-agentlib:jdwp=…"; empty: where was not seen
	Given  JavaOption // where
	Port   string     // on which it listens, by its log or else by the option; empty: neither says so
	For    time.Duration
	Unread bool // its log was not read
}

// Mechanism names it.
func (DebuggerAwaited) Mechanism() cause.ID { return "debugger-awaited" }

var (
	// listensForDebugger is the line of an agent that listens (transport.c in the same folder).
	listensForDebugger = lazyregexp.New(`Listening for transport \w+ at address: (?:\S*:)?(\d+)\s*(?:\x1b\[[\d;]*m)?\s*$`)
	// pickedUp is the line of a JVM that took options from a variable (src/hotspot/share/runtime/arguments.cpp of openjdk/jdk17u). The first
	// JVM of a driver has its output read by bin/spark-class, so that this is all that is seen of one that listens.
	pickedUp = lazyregexp.New(`Picked up (\w+): [^\n]*-(?:agentlib:jdwp=|Xrunjdwp:)`)
)

const (
	// startsWithin is how long a JVM may take from its first line to the next.
	startsWithin = time.Minute
	// listensLong is from when on a JVM that has written nothing but that it listens is taken for one that waits, whatever its options are.
	listensLong = 10 * time.Minute
)

// debuggerAwaited looks at the driver, then at executors.
func debuggerAwaited(v *View) []cause.Cause {
	if !v.DriverRuns() {
		return nil
	}
	if c, is := v.waitsForDebugger(cause.DriverRole, v.Driver); is {
		return []cause.Cause{c}
	}
	if v.registered() {
		return nil
	}
	for _, p := range v.Executors {
		if c, is := v.waitsForDebugger(cause.ExecutorRole, p); is {
			return []cause.Cause{c}
		}
	}
	return nil
}

// registered reports whether an executor has done something.
func (v *View) registered() bool { return v.Progresses() || v.Work.Tasks.Done > 0 }

// waitsForDebugger looks at the JVM of one pod.
func (v *View) waitsForDebugger(role cause.Role, pod *corev1.Pod) (cause.Cause, bool) {
	state := app.Container(pod)
	if state == nil || state.State.Running == nil || pod.DeletionTimestamp != nil {
		return cause.Cause{}, false
	}
	option, given := v.debugOption(role, pod)
	d := DebuggerAwaited{Role: role, For: v.Now.Sub(state.State.Running.StartedAt.Time)}
	out := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: role, Subject: Ref(pod), Trust: cause.ByContainer,
		At: state.State.Running.StartedAt.UTC()}
	waits := option != "" && Suspends(option)
	last, read := lastLine(v, pod)
	connected := role == cause.DriverRole && len(v.Names())+len(v.Executors) > 0 // a debugger has, and then it asked for executors
	listens, picked := listensForDebugger.FindStringSubmatch(last), pickedUp.FindStringSubmatch(last)
	switch {
	case connected:
		return cause.Cause{}, false
	case listens != nil && waits:
		d.Port, out.Certainty = listens[1], check.Proven
	case listens != nil && option == "" && d.For >= listensLong:
		d.Port = listens[1]
	case picked != nil && waits && given.Variable == picked[1] && d.For >= startsWithin:
		out.Certainty = check.Proven
	case read || !waits || d.For < startsWithin || role == cause.ExecutorRole && !v.Starves():
		return cause.Cause{}, false
	default:
		d.Unread = true
	}
	if last != "" {
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(pod), Field: "log " + app.MainName(pod), Value: strings.TrimSpace(last)})
	}
	if waits {
		d.Option, d.Given = option, given
		if at := debugPort.FindStringSubmatch(option); at != nil && d.Port == "" {
			d.Port = at[1]
		}
		of := v.AppRef()
		if given.Variable != "" {
			of = Ref(pod)
		}
		out.Evidence = append(out.Evidence, cause.Proof{Object: of, Field: given.String(), Value: option})
	}
	out.Detail = d
	return out, true
}

// lastLine is the last line that the container of Spark in a pod wrote; false: its log was not read.
func lastLine(v *View, pod *corev1.Pod) (string, bool) {
	at := slices.IndexFunc(v.Logs, func(l app.Log) bool {
		return l.Pod == pod.Name && l.Container == app.MainName(pod) && !l.Previous
	})
	if at < 0 {
		return "", false
	}
	text := strings.TrimSpace(v.Logs[at].Tail)
	return text[strings.LastIndexByte(text, '\n')+1:], true
}

// optionChanged: the JVM got the options that the spec held when its pod was made. A variable is the pod's.
func optionChanged() Rival {
	changed := specChangedSince()
	stands := changed.Stands
	changed.Stands = func(v *View, c *cause.Cause) cause.Standing {
		if d, _ := c.Detail.(DebuggerAwaited); d.Given.Variable != "" {
			return cause.RuledOut
		}
		return stands(v, c)
	}
	return changed
}
