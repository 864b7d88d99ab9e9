package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// eventsLive is how long an API server keeps events (--event-ttl of kube-apiserver, one hour by default).
const eventsLive = time.Hour

// Gap is something that was not seen and could tell more.
type Gap struct {
	Kind GapKind
	// Resource and Name are what could not be read, and Reason why, of NotRead.
	Resource, Name, Reason string
	Obstacle               snapshot.Obstacle
	// Elsewhere is its namespace, where that is another than the application's, and OfNodes says that it is about nodes: their events are in
	// the namespace default.
	Elsewhere string
	OfNodes   bool
	// Namespace is that of the application and Reader who was refused, for the rights that would help; empty: all, or nobody knows.
	Namespace, Reader string

	Pod, Container string // of the log, of DriverLogUnread

	Main string // what the application's own pod is called: driver or server
	N    int    // executors, of FailedExecutors; lines, of RedactedLines
	Kept bool   // Spark was told to leave the pods of executors that ended
}

// GapKind is what was not seen.
type GapKind int

// The gaps.
const (
	NotRead         GapKind = iota // refused, or failed
	DriverPodGone                  // pod of the driver, and its log
	DriverLogUnread                // the input lacks it, and the driver may have one
	DriverLogEmpty                 // it was read, and holds nothing
	DriverUnstarted                // no container of its pod has a status
	RedactedLines                  // of the driver's log: a private key, say
	LogZone                        // of the driver's log
	FailedExecutors                // pods of executors that failed, and their logs
	LostExecutors                  // executors that the driver lost, and their logs
	OldEvents
)

// GapOf is something that a reader could not read for the applications of a namespace.
func GapOf(u snapshot.Unseen, namespace, reader string) Gap {
	if u.Reason == snapshot.Forbidden { // a listing and an older archive say no more
		u.Obstacle = snapshot.Refused
	}
	g := Gap{Kind: NotRead, Resource: u.Resource, Name: u.Name, Reason: u.Reason, Obstacle: u.Obstacle, Namespace: namespace, Reader: reader}
	if u.Namespace != namespace {
		g.Elsewhere = u.Namespace
		g.OfNodes = u.Resource == "events" && u.Namespace == metav1.NamespaceDefault
	}
	return g
}

// Gaps are what could not be looked at.
func (v *View) Gaps() []Gap {
	var out []Gap
	for _, u := range v.Unseen {
		out = append(out, GapOf(u, v.Subject.Namespace, v.Reader))
	}
	add := func(kind GapKind, n int) {
		out = append(out, Gap{Kind: kind, Main: v.Main(), N: n, Kept: v.KeepsExecutors()})
	}
	if v.Application != nil && driverPodGone(v) {
		add(DriverPodGone, 0)
	}
	if kind, lacks := lackingLog(v); lacks {
		g := Gap{Kind: kind, Main: v.Main(), Namespace: v.Driver.Namespace, Pod: v.Driver.Name}
		if c := app.Container(v.Driver); c != nil {
			g.Container = c.Name
		}
		out = append(out, g)
	}
	if l := v.DriverLog(); l != nil {
		if lines := snapshot.RedactedLines(snapshot.LogText(l.Head)) + snapshot.RedactedLines(snapshot.LogText(l.Tail)); lines > 0 {
			add(RedactedLines, lines)
		}
	}
	if v.Application == nil {
		return out
	}
	if l := v.DriverLog(); l != nil && logs.ClockOf(v.Evidence, l).Unknown {
		add(LogZone, 0)
	}
	switch gone := failedAndGone(v); {
	case gone > 0:
		add(FailedExecutors, gone)
	case len(v.Executors) == 0 && len(v.Names()) == 0 && v.Work.Loses:
		add(LostExecutors, 0)
	}
	if eventsForgotten(v) {
		add(OldEvents, 0)
	}
	return out
}

// driverPodGone reports whether a driver was submitted, and its pod is not there.
func driverPodGone(v *View) bool {
	return !v.Submitted.IsZero() && v.Driver == nil && !v.Unsubmitted() && !v.IsConnect()
}

// failedAndGone is how many executors failed whose pods are gone.
func failedAndGone(v *View) int {
	gone := 0
	for name, state := range v.Names() {
		if state == "FAILED" && !slices.ContainsFunc(v.Executors, func(p *corev1.Pod) bool { return p.Name == name }) {
			gone++
		}
	}
	return gone
}

// eventsForgotten reports whether events about the run, or its end, may be older than an API server keeps them. A server has no end: what
// it does now is there.
func eventsForgotten(v *View) bool {
	if v.IsConnect() && v.Driver != nil {
		return false
	}
	since := v.Ended
	if since.IsZero() {
		since = v.Submitted
	}
	return !since.IsZero() && v.Now.Sub(since) > eventsLive
}

// lackingLog is why nothing of the driver's log is here, where it may have one. A container that has not started has none, and one whose
// log could not be read is a gap of its own.
func lackingLog(v *View) (GapKind, bool) {
	if v.Driver == nil || v.HasLog(v.Driver.Name) || slices.ContainsFunc(v.Unseen, v.ofDriverLog) {
		return 0, false
	}
	c := app.Container(v.Driver)
	onNode := v.Driver.Status.Phase != corev1.PodPending && v.Driver.Spec.NodeName != ""
	switch {
	case c == nil && !onNode:
		return 0, false
	case c != nil && c.State.Waiting != nil && c.LastTerminationState.Terminated == nil:
		return 0, false
	case v.mayMiss("logs"):
		return DriverLogUnread, true
	case c == nil:
		return DriverUnstarted, true
	default:
		return DriverLogEmpty, true
	}
}

// ofDriverLog reports whether something that could not be read is the driver's log, or all logs.
func (v *View) ofDriverLog(u snapshot.Unseen) bool {
	one := u.Resource == snapshot.PodLogs && u.Name == v.Driver.Name && u.Namespace == v.Driver.Namespace
	return one || u.Resource == string(snapshot.ApplicationLogs)
}

// SubjectPod is the pod that a cause is about, else the driver.
func SubjectPod(v *View, c *cause.Cause) *corev1.Pod {
	for _, p := range v.Executors {
		if p.Name == c.Subject.Name {
			return p
		}
	}
	return v.Driver
}
