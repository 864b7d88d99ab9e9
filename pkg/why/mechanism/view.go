package mechanism

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// View is the evidence as the mechanisms read it: the application's fields, its current driver, its executors and how they ended.
type View struct {
	*app.Evidence
	app.Status          // of the application; empty where there is none
	Spec       app.Spec // of the application; empty where there is none

	DriverName string
	Events     []app.Event   // without those about pods of an earlier run: names come back, the driver's always
	Driver     *corev1.Pod   // of the current run; nil: it is not there
	Executors  []*corev1.Pod // of the current run
	Ends       []End         // how executors ended, by time

	Work Work // what the driver\'s log says of its progress
}

// Look reads the evidence.
func Look(e *app.Evidence) *View {
	v := &View{Evidence: e}
	if a := e.Application; a != nil {
		v.Spec, v.Status = a.Spec, a.Status
	}
	for _, one := range e.Events {
		if one.Involved.Kind != "Pod" || !one.Last.Before(v.Submitted) {
			v.Events = append(v.Events, one)
		}
	}
	v.DriverName = v.DriverPod
	const label = "sparkoperator.k8s.io/submission-id"
	for i := range e.Pods {
		p := &e.Pods[i]
		if role(p) == "driver" && (v.SubmissionID == "" || p.Labels[label] == "" || p.Labels[label] == v.SubmissionID) {
			v.Driver = p // the newest: they are sorted
		}
	}
	for i := range e.Pods {
		p := &e.Pods[i]
		if role(p) == "executor" && (v.Driver == nil || v.IsConnect() ||
			p.Labels["spark-app-selector"] == v.Driver.Labels["spark-app-selector"]) {
			v.Executors = append(v.Executors, p)
		}
	}
	if v.IsConnect() {
		v.Executors = ofServer(v.Driver, v.Executors)
		v.Events = slices.DeleteFunc(v.Events, v.ofEarlierServer)
	}
	if v.Driver != nil {
		v.DriverName = v.Driver.Name
	}
	v.Ends = ends(v)
	v.Work = ReadWork(v)
	return v
}

// role is what a pod is to Spark. A pod that was asked for by name may have no label.
func role(p *corev1.Pod) string {
	if r := p.Labels["spark-role"]; r != "" {
		if r == "connect-server" {
			return "driver" // the server of Spark Connect is the driver
		}
		return r
	}
	switch {
	case strings.Contains(p.Name, "-exec-"):
		return "executor"
	case strings.HasSuffix(p.Name, "-driver"):
		return "driver"
	default:
		return ""
	}
}

// Container is the state of the container that Spark runs in. A template may give it another name: then it is the first.
func Container(p *corev1.Pod) *corev1.ContainerStatus {
	list := p.Status.ContainerStatuses
	at := slices.IndexFunc(list, func(c corev1.ContainerStatus) bool { return c.Name == MainName(p) })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// MainName is the name of that container.
func MainName(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if strings.HasPrefix(c.Name, "spark-kubernetes-") {
			return c.Name
		}
	}
	if len(p.Spec.Containers) > 0 {
		return p.Spec.Containers[0].Name
	}
	return ""
}

// Termination is how the container of Spark ended, now or before its last restart; nil: it has not.
func Termination(p *corev1.Pod) *corev1.ContainerStateTerminated {
	c := Container(p)
	switch {
	case c == nil:
		return nil
	case c.State.Terminated != nil:
		return c.State.Terminated
	default:
		return c.LastTerminationState.Terminated
	}
}

// DriverEnd is when the driver ended; zero: it runs, or nothing tells.
func (v *View) DriverEnd() time.Time {
	if v.Driver != nil {
		if c := Container(v.Driver); c != nil && c.State.Terminated != nil {
			return c.State.Terminated.FinishedAt.Time
		}
	}
	return v.Ended
}

func podRef(p *corev1.Pod) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)}
}

func (v *View) podNamed(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: v.Subject.Namespace, Name: name}
}

// AppRef names the application.
func (v *View) AppRef() snapshot.Ref {
	if a := v.Application; a != nil {
		return a.Ref()
	}
	return v.Subject
}

// eventsOn are the events about an object of a kind and a name, oldest first.
func (v *View) eventsOn(kind, name string, reasons ...string) []app.Event {
	var out []app.Event
	for _, e := range v.Events {
		if e.Involved.Kind == kind && e.Involved.Name == name && (len(reasons) == 0 || slices.Contains(reasons, e.Reason)) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b app.Event) int { return cmp.Compare(a.Last.UnixNano(), b.Last.UnixNano()) })
	return out
}

func (v *View) node(name string) *corev1.Node {
	for i := range v.Nodes {
		if v.Nodes[i].Name == name {
			return &v.Nodes[i]
		}
	}
	return nil
}

func condition(p *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == kind {
			return &p.Status.Conditions[i]
		}
	}
	return nil
}

// Ref names a pod.
func Ref(p *corev1.Pod) snapshot.Ref { return podRef(p) }

// DriverRuns reports whether the driver is at work.
func (v *View) DriverRuns() bool { return v.driverRuns() }

// RunningSince is how many executors run for at least a time, and the longest of these times.
func (v *View) RunningSince(least time.Duration) (n int, longest time.Duration) {
	for _, p := range v.Executors {
		c := Container(p)
		if c == nil || c.State.Running == nil || p.DeletionTimestamp != nil {
			continue
		}
		if since := v.Now.Sub(c.State.Running.StartedAt.Time); since >= least {
			n, longest = n+1, max(longest, since)
		}
	}
	return n, longest
}

func (v *View) driverRuns() bool {
	if v.Driver == nil {
		return false
	}
	c := Container(v.Driver)
	waits := v.IsConnect() && c != nil && c.State.Waiting != nil // to be started again
	return v.Driver.Status.Phase == corev1.PodRunning && !waits && (c == nil || c.State.Terminated == nil)
}
