package why

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// eventsLive is how long an API server keeps events (--event-ttl of kube-apiserver, one hour by default).
const eventsLive = time.Hour

// unseen is what could not be looked at, and how to have it next time.
func unseen(v *mechanism.View) []Unseen {
	var out []Unseen
	for _, u := range v.Unseen {
		out = append(out, Unseen{What: strings.TrimSpace(u.Resource + " " + u.Name), Reason: u.Reason,
			NextTime: "ask with more rights (kubectl sparkdoctor rbac)"})
	}
	if v.Application == nil {
		if lacksLog(v) {
			out = append(out, noLog(v))
		}
		return out
	}
	begun := !v.Submitted.IsZero()
	if begun && v.Driver == nil && !v.Unsubmitted() && !v.IsConnect() {
		out = append(out, Unseen{What: "the " + v.Main() + "'s pod and its log", Reason: "the pod is gone",
			NextTime: "collect logs of pods, or ask before the pod is deleted (timeToLiveSeconds, garbage collection)"})
	}
	if lacksLog(v) {
		out = append(out, noLog(v))
	}
	if l := logOfDriver(v); l != nil && logs.ClockOf(v.Evidence, l).Unknown {
		out = append(out, Unseen{What: "the time zone of the driver's log", Reason: "its times do not fit the life of the container",
			NextTime: "let the driver log in UTC (TZ=UTC, -Duser.timezone=UTC)"})
	}
	gone := 0
	for name, state := range v.Names() {
		if state == "FAILED" && !slices.ContainsFunc(v.Executors, named(name)) {
			gone++
		}
	}
	if gone > 0 {
		out = append(out, Unseen{What: failedPods(gone), Reason: "the pods are gone",
			NextTime: words.KeepExecutors(v.KeepsExecutors())})
	}
	if gone == 0 && len(v.Executors) == 0 && len(v.Names()) == 0 && executorsLost(v) {
		out = append(out, Unseen{What: "the executors that the driver lost, and their logs", Reason: "the pods are gone",
			NextTime: words.KeepExecutors(v.KeepsExecutors()) + ", and save them with snapshot --logs"})
	}
	if v.IsConnect() && v.Driver != nil {
		return out // a server has no end: what it does now is there
	}
	if end := v.Ended; !end.IsZero() && v.Now.Sub(end) > eventsLive || end.IsZero() && begun && v.Now.Sub(v.Submitted) > eventsLive {
		out = append(out, Unseen{What: "events from more than an hour ago", Reason: "the API server keeps events for an hour",
			NextTime: "ask within the hour, or export events"})
	}
	return out
}

// executorsLost reports whether the log of the driver tells of executors that it lost.
func executorsLost(v *mechanism.View) bool {
	l := logOfDriver(v)
	return l != nil && (strings.Contains(l.Tail, " Lost executor ") || strings.Contains(l.Tail, "FetchFailed"))
}

// lacksLog reports whether the driver may have a log that was not read. A container that has not started has none.
func lacksLog(v *mechanism.View) bool {
	if v.Driver == nil || hasLog(v, v.Driver.Name) {
		return false
	}
	c := mechanism.Container(v.Driver)
	if c == nil { // on a node or not yet
		return v.Driver.Status.Phase != corev1.PodPending && v.Driver.Spec.NodeName != ""
	}
	return c.State.Waiting == nil || c.LastTerminationState.Terminated != nil
}

func noLog(v *mechanism.View) Unseen {
	return Unseen{What: "the " + v.Main() + "'s log", Reason: "it was not read",
		NextTime: "let the reader get pods/log, or save it with snapshot --logs"}
}

func failedPods(n int) string {
	if n == 1 {
		return "1 failed executor and its log"
	}
	return facts.Counted(n, "failed executor") + " and their logs"
}

func hasLog(v *mechanism.View, pod string) bool {
	for _, l := range v.Logs {
		if l.Pod == pod && l.Tail != "" {
			return true
		}
	}
	return false
}

// lacking is what is missing for a verdict, in a few words.
func lacking(v *mechanism.View) string {
	list := unseen(v)
	words := make([]string, 0, len(list))
	for _, u := range list {
		words = append(words, u.What)
	}
	return strings.Join(words, ", ")
}

// ruledOut is what it was not. Only what was looked at is ruled out.
func ruledOut(v *mechanism.View, log driverLog, causes []cause.Cause) []RuledOut {
	var out []RuledOut
	verdict := &causes[0]
	if verdict.Class == cause.Unknown || !verdict.Class.Fault() {
		return nil
	}
	anyOf := func(class cause.Class) bool {
		return slices.ContainsFunc(causes, func(c cause.Cause) bool { return c.Class == class })
	}
	if v.Driver == nil {
		return nil
	}
	if hasLog(v, v.Driver.Name) && !anyOf(cause.CodeFailed) && verdict.Class == cause.ClusterKilled && !log.Uncaught {
		out = append(out, RuledOut{Message: "a code failure",
			Because: "no uncaught exception in the part of the " + v.Main() + "'s log that was read"})
	}
	if t := mechanism.Termination(v.Driver); t != nil && t.Reason != "OOMKilled" && t.ExitCode != 137 {
		out = append(out, RuledOut{Message: "the " + v.Main() + "'s memory limit",
			Because: "the kubelet recorded " + t.Reason + ", not OOMKilled"})
	}
	if t := mechanism.Termination(v.Driver); t != nil && v.Driver.Status.Reason == "" && verdict.Class != cause.ClusterKilled {
		out = append(out, RuledOut{Message: "an eviction of the " + v.Main(), Because: "status.reason of its pod is empty"})
	}
	return out
}

func named(name string) func(p *corev1.Pod) bool {
	return func(p *corev1.Pod) bool { return p.Name == name }
}
