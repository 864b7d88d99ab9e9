package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Moment is one thing that happened to an application.
type Moment struct {
	At     time.Time
	Object snapshot.Ref
	What   Happening
	Main   string    // what the application's own pod is called: driver or server
	Name   string    // of a node, a state, or a reason
	Code   int       // of MainEnded
	Why    EndReason // of ExecutorLost
}

// Happening is what happened.
type Happening int

// The happenings. Those of the main pod are from its status where it is left, else from its events.
const (
	Submitted Happening = iota
	TakenUp             // a SparkConnect by the operator
	MainScheduled
	MainMarked // for disruption
	MainRunning
	MainEnded
	ImagePulled
	MainStopping
	MainPreempted
	MainEvicted
	FirstExecutor
	ExecutorLost
	StateSet // by the operator
)

// shownLosses is how many losses of executors for one reason a timeline holds.
const shownLosses = 3

// Timeline is what happened to the application, by time, each once.
func Timeline(v *View) []Moment {
	t := timeline{main: v.Main()}
	submitted, begun := v.Submitted, Submitted
	if v.IsConnect() {
		begun = TakenUp
	}
	if v.Driver != nil && !v.IsConnect() && v.Driver.CreationTimestamp.Time.Before(submitted) {
		submitted = v.Driver.CreationTimestamp.Time // the operator writes the time after spark-submit returned
	}
	t.add(submitted, v.AppRef(), Moment{What: begun})
	if v.Driver != nil {
		t.pod(v)
	} else {
		t.events(v)
	}
	t.add(firstExecutor(v), v.AppRef(), Moment{What: FirstExecutor})
	losses := map[EndReason]int{}
	for _, e := range v.Ends {
		if losses[e.Why]++; losses[e.Why] <= shownLosses {
			t.add(e.At, e.Pod, Moment{What: ExecutorLost, Why: e.Why})
		}
	}
	t.add(v.Ended, v.AppRef(), Moment{What: StateSet, Name: v.State})
	t.add(v.Since, v.AppRef(), Moment{What: StateSet, Name: v.State})
	if v.Apache != nil {
		for _, s := range v.Apache.Transitions {
			t.add(s.At, v.Apache.Ref(), Moment{What: StateSet, Name: s.State})
		}
	}
	// At the same second, they stand in the order in which such things happen.
	slices.SortStableFunc(t.out, func(a, b Moment) int { return a.At.Compare(b.At) })
	return slices.CompactFunc(t.out, func(a, b Moment) bool {
		a.Object = b.Object
		return a == b
	})
}

type timeline struct {
	main string
	out  []Moment
}

func (t *timeline) add(at time.Time, object snapshot.Ref, m Moment) {
	if !at.IsZero() && at.Unix() > 0 {
		m.At, m.Object = at.UTC(), object
		m.Main = t.main
		t.out = append(t.out, m)
	}
}

// pod is what the status of the main pod tells, and when its image was there.
func (t *timeline) pod(v *View) {
	p, ref := v.Driver, Ref(v.Driver)
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionTrue {
			t.add(c.LastTransitionTime.Time, ref, Moment{What: MainScheduled, Name: p.Spec.NodeName})
		}
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			t.add(c.LastTransitionTime.Time, ref, Moment{What: MainMarked, Name: c.Reason})
		}
	}
	if c := app.Container(p); c != nil {
		if r := c.State.Running; r != nil {
			t.add(r.StartedAt.Time, ref, Moment{What: MainRunning})
		}
		if end := app.Termination(p); end != nil {
			t.add(end.StartedAt.Time, ref, Moment{What: MainRunning})
			t.add(end.FinishedAt.Time, ref, Moment{What: MainEnded, Name: end.Reason, Code: int(end.ExitCode)})
		}
	}
	for _, e := range v.Events {
		if e.Involved.Name == p.Name && e.Reason == "Pulled" && strings.HasPrefix(e.Message, "Successfully pulled") {
			t.add(e.Last, ref, Moment{What: ImagePulled})
		}
	}
}

// events is what events tell of a main pod that is gone.
func (t *timeline) events(v *View) {
	known := map[string]Happening{"Scheduled": MainScheduled, "Started": MainRunning, "Killing": MainStopping, "Preempted": MainPreempted,
		"Evicted": MainEvicted}
	for _, e := range v.Events {
		if what, is := known[e.Reason]; is && e.Involved.Kind == "Pod" && e.Involved.Name == v.DriverName {
			t.add(e.Last, e.Involved, Moment{What: what})
		}
	}
}

// firstExecutor is when the first one of the last attempt ran, zero where nothing tells.
func firstExecutor(v *View) time.Time {
	first := time.Time{}
	earlier := func(at time.Time) bool { return first.IsZero() || at.Before(first) }
	for _, p := range v.Executors {
		if c := app.Container(p); c != nil {
			at := time.Time{}
			switch t := app.Termination(p); {
			case c.State.Running != nil:
				at = c.State.Running.StartedAt.Time
			case t != nil:
				at = t.StartedAt.Time
			}
			if !at.IsZero() && earlier(at) {
				first = at
			}
		}
	}
	for _, e := range v.Events {
		if e.Reason == "SparkExecutorRunning" && !e.First.Before(v.Submitted) && earlier(e.First) {
			first = e.First
		}
	}
	return first
}

// Attempt is one run.
type Attempt struct {
	Number         int
	Started, Ended time.Time // zero while it runs
	// How it stands or ended: the first of them that is set.
	PodReason string // status.reason of its driver's pod
	Ending    *Ending
	State     string // phase of the pod, or state of the application where no pod is left
}

// Ending is how a container ended.
type Ending struct {
	Reason string
	Code   int
}

// As is how the attempt stands or ended, by the first of the three that is set.
func (a *Attempt) As() Ending {
	switch {
	case a.PodReason != "":
		return Ending{Reason: a.PodReason}
	case a.Ending != nil:
		return *a.Ending
	default:
		return Ending{Reason: a.State}
	}
}

// AttemptsOf are the runs of which a driver is left, else the last one. Those before the last are numbered back from it, because older
// drivers are deleted.
func AttemptsOf(v *View) []Attempt {
	var out []Attempt
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Labels["spark-role"] != "driver" {
			continue
		}
		a := Attempt{Started: p.CreationTimestamp.UTC(), State: strings.ToLower(string(p.Status.Phase)), PodReason: p.Status.Reason}
		if t := app.Termination(p); t != nil {
			a.Ended, a.Ending = t.FinishedAt.UTC(), &Ending{t.Reason, int(t.ExitCode)}
		}
		out = append(out, a)
	}
	if len(out) == 0 && !v.Submitted.IsZero() && !v.IsConnect() {
		out = append(out, Attempt{Number: max(1, v.Attempts), Started: v.Submitted, Ended: v.Ended, State: v.State})
	}
	last := max(v.Attempts, len(out))
	for i := range out {
		out[i].Number = last - len(out) + 1 + i
	}
	return out
}

// ExecutorCounts are those of the last attempt.
type ExecutorCounts struct {
	Asked, Ran, Running, Pending, Failed, Completed int
	Lost                                            []Loss
}

// Loss is why executors were lost, and how many.
type Loss struct {
	Count int
	Why   EndReason
}

// CountExecutors counts those of the last attempt; nil: it has none to speak of.
func CountExecutors(v *View) *ExecutorCounts {
	names := v.Names()
	if len(names) == 0 && v.Spec.Asked() == 0 {
		return nil
	}
	out := &ExecutorCounts{Asked: v.Spec.Asked()}
	for name, state := range names {
		switch state {
		case "RUNNING":
			out.Running++
			out.Ran++
		case "PENDING":
			out.Pending++
		case "FAILED":
			out.Failed++
			if !neverStarted(v, name) {
				out.Ran++
			}
		case "COMPLETED", "SUCCEEDED":
			out.Completed++
			out.Ran++
		}
	}
	counts := map[EndReason]int{}
	for _, e := range v.Ends {
		counts[e.Why]++
	}
	for why, n := range counts {
		out.Lost = append(out.Lost, Loss{Count: n, Why: why})
	}
	return out
}
