package mechanism

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// View is the evidence as the mechanisms read it: beside what package app says of the application, what is derived of its current run and
// several mechanisms ask for. Its driver and executors are those of that run, its events without those of earlier ones, and from these
// follows how executors ended and how far the work was. What one mechanism asks for is a function in its file.
type View struct {
	*app.Evidence
	app.Status          // of the application; empty where there is none
	Spec       app.Spec // of the application; empty where there is none
	Recorded   Recorded // what Message of the status tells

	DriverName string
	Events     []app.Event   // without those about pods of an earlier run: names come back, the driver's always
	Driver     *corev1.Pod   // of the current run; nil: it is not there
	Executors  []*corev1.Pod // of the current run
	Ends       []End         // how executors ended, by time

	Work Work // what the driver's log says of its progress
}

// Look reads the evidence.
func Look(e *app.Evidence) *View {
	v := &View{Evidence: e}
	if a := e.Application; a != nil {
		v.Spec, v.Status = a.Spec, a.Status
	}
	v.Recorded = NewMessages().Read(v.Message, v.State == "SUBMISSION_FAILED")
	for _, one := range e.Events {
		if one.Involved.Kind != "Pod" || !one.Last.Before(v.Submitted) {
			v.Events = append(v.Events, one)
		}
	}
	v.DriverName = v.DriverPod
	const label = "sparkoperator.k8s.io/submission-id"
	for i := range e.Pods {
		p := &e.Pods[i]
		ofRun := v.SubmissionID == "" || p.Labels[label] == "" || p.Labels[label] == v.SubmissionID
		of := p.Labels[snapshot.AppNameLabel] // where two share spec.driver.podName, the pod is that of one
		ofAnother := v.Application != nil && of != "" && of != v.Application.Name
		if ofRun && !ofAnother && app.RoleOf(p) == "driver" {
			v.Driver = p // the newest: they are sorted
		}
	}
	if v.Driver == nil {
		v.Driver = e.Asked()
	}
	for i := range e.Pods {
		p := &e.Pods[i]
		ofDriver := v.Driver == nil || v.IsConnect() || app.RoleOf(v.Driver) != "driver" ||
			p.Labels["spark-app-selector"] == v.Driver.Labels["spark-app-selector"]
		if ofDriver && app.RoleOf(p) == "executor" {
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

// DriverEnd is when the driver ended; zero: it runs, or nothing tells.
func (v *View) DriverEnd() time.Time {
	if v.Driver != nil {
		if c := app.Container(v.Driver); c != nil && c.State.Terminated != nil {
			return c.State.Terminated.FinishedAt.Time
		}
	}
	return v.Ended
}

// Ref names a pod.
func Ref(p *corev1.Pod) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)}
}

func (v *View) podNamed(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: v.Subject.Namespace, Name: name}
}

// eventsOn are the events about an object of a kind and a name, oldest first.
func (v *View) eventsOn(kind, name string, reasons ...string) []app.Event {
	var out []app.Event
	for _, e := range v.Events {
		asked := len(reasons) == 0 || slices.Contains(reasons, e.Reason)
		if asked && e.Involved.Kind == kind && e.Involved.Name == name {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b app.Event) int { return cmp.Compare(a.Last.UnixNano(), b.Last.UnixNano()) })
	return out
}

func condition(p *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == kind {
			return &p.Status.Conditions[i]
		}
	}
	return nil
}

// isTrue reports whether a pod has a condition, and it holds.
func isTrue(c *corev1.PodCondition) bool { return c != nil && c.Status == corev1.ConditionTrue }

// applicationStays reports whether the application exists and is not being deleted.
func (v *View) applicationStays() bool {
	return v.Application != nil && v.Application.DeletionTimestamp == nil
}

// mayMiss reports whether objects of a resource may exist that were not read, also where the input does not say.
func (v *View) mayMiss(resource string) bool { return v.Partial == nil || v.Partial(resource) }

// isPartial reports whether the input says that objects of a resource may exist that were not read.
func (v *View) isPartial(resource string) bool { return v.Partial != nil && v.Partial(resource) }

// runningSince is how many executors run for at least a time, and the longest of these times.
func runningSince(v *View, least time.Duration) (n int, longest time.Duration) {
	for _, p := range v.Executors {
		c := app.Container(p)
		if c == nil || c.State.Running == nil || p.DeletionTimestamp != nil {
			continue
		}
		if since := v.Now.Sub(c.State.Running.StartedAt.Time); since >= least {
			n, longest = n+1, max(longest, since)
		}
	}
	return n, longest
}

// DriverRuns reports whether the driver is at work.
func (v *View) DriverRuns() bool {
	if v.Driver == nil {
		return false
	}
	c := app.Container(v.Driver)
	waits := v.IsConnect() && c != nil && c.State.Waiting != nil // to be started again
	ended := c != nil && c.State.Terminated != nil
	return v.Driver.Status.Phase == corev1.PodRunning && !waits && !ended
}

// OfSchedule reports whether a schedule made the application, from its template.
func (v *View) OfSchedule() bool {
	return v.Application != nil && (v.Schedule != nil ||
		slices.ContainsFunc(v.Application.OwnerReferences, func(o metav1.OwnerReference) bool { return IsSchedule(&o) }))
}

// IsSchedule reports whether an owner is a schedule.
func IsSchedule(o *metav1.OwnerReference) bool { return o.Kind == "ScheduledSparkApplication" }
