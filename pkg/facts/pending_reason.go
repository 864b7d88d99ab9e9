package facts

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// PendingReason is why a pod does not start, in the form in which checks say it: what was found is package mechanism's.
type PendingReason struct {
	Text      string // ends a message: "image \"x\" cannot be pulled (ErrImagePull)"
	Shared    string // what other pods may wait for, too; empty: nothing
	Gated     bool   // held back on purpose, which is no fault
	Lasting   string // what must be mended before the pod can start, without names: "image"; empty: it may start by itself
	Severity  check.Severity
	Certainty check.Certainty
	Missing   snapshot.Ref // the object that is not there, if that is it
	Evidence  []check.Evidence

	next func(pod snapshot.Ref, owner Owner) []check.Command // nil: its description says more
}

// PendingReasons tells what holds pods up.
type PendingReasons struct {
	s      *snapshot.Snapshot
	events map[string][]app.Event // by UID of the pod, oldest first

	mu    sync.Mutex                            // checks run at the same time
	known map[*snapshot.PodProblem]cause.Detail // of pods without events: those that are alike share theirs
}

// Pending tells what holds pods up, by the events about them.
func Pending() check.Fact[*PendingReasons] {
	return check.Fact[*PendingReasons]{
		Name:  "pending",
		Needs: []snapshot.Need{{View: snapshot.WarningEvents, Role: snapshot.Consulted}},
		Make:  newPendingReasons,
	}
}

func newPendingReasons(pass *check.Pass) *PendingReasons {
	p := &PendingReasons{s: pass.Snapshot, events: map[string][]app.Event{}, known: map[*snapshot.PodProblem]cause.Detail{}}
	list := pass.WarningEvents()
	for i := range list {
		if e := &list[i]; e.Reason != snapshot.OwnerRefInvalidNamespace && e.Involved.Kind == "Pod" && e.Involved.UID != "" {
			p.events[e.Involved.UID] = append(p.events[e.Involved.UID], app.NarrowEvent(e))
		}
	}
	for _, of := range p.events {
		slices.SortFunc(of, func(a, b app.Event) int { return cmp.Or(a.Last.Compare(b.Last), strings.Compare(a.Message, b.Message)) })
	}
	return p
}

// detail is what a mechanism found of a pod that is pending.
func (p *PendingReasons) detail(pod *snapshot.Pod) cause.Detail {
	events := p.events[pod.UID]
	if pod.Trouble == nil || len(events) > 0 {
		c, _ := mechanism.NotStarted(p.s.TakenAt, app.NarrowPod(pod), events)
		return c.Detail
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d, is := p.known[pod.Trouble]
	if !is {
		c, _ := mechanism.NotStarted(p.s.TakenAt, app.NarrowPod(pod), nil)
		d = c.Detail
		p.known[pod.Trouble] = d
	}
	return d
}

// Of returns what holds up a pod that is pending. queue is the one that its application names for a batch scheduler, if any.
func (p *PendingReasons) Of(pod *snapshot.Pod, queue string) PendingReason {
	queue = cmp.Or(pod.Queue(), queue)
	switch d := p.detail(pod).(type) {
	case mechanism.SchedulingGated: // the controller that set the gate removes it, such as Kueue
		return PendingReason{Gated: true}
	case mechanism.ClaimMissing:
		out := withoutNode(pod)
		out.lacks(pod, mechanism.Absent{Kind: "PersistentVolumeClaim", Name: d.Claim})
		return out
	case mechanism.VolumeWanted:
		return notPlaced(pod, &d.Placement, queue)
	case mechanism.Unschedulable:
		return notPlaced(pod, &d.Placement, queue)
	case mechanism.QueueFull:
		if d.Unfit == nil {
			return unheard(pod, queue)
		}
		return notPlaced(pod, &d.Unfit.Placement, queue)
	case mechanism.SchedulerSilent:
		return unheard(pod, queue)
	case mechanism.PendingUnexplained:
		if d.Unplaced {
			return unheard(pod, queue)
		}
		return p.untold(pod)
	case mechanism.ObjectMissing:
		return onNode(pod, &d.Told, d.Absent)
	case mechanism.VolumeUnmounted:
		return onNode(pod, &d.Told, mechanism.Absent{})
	case mechanism.SandboxUnmade:
		out := onNode(pod, &d.Told, mechanism.Absent{})
		if out.Lasting != "" {
			out.Shared = d.Reason // the network of nodes
		}
		return out
	default:
		return ofContainer(pod, d)
	}
}

// Owner is what the user wrote a pod's spec in, and where in it the fields of an application are.
type Owner struct {
	What string // "application"
	Spec string // "spec"
	Of   string // what to say behind a field: whose it is, where that is another than the application; empty: nothing
}

// OwnerOf is that of an application's pods: a run of a schedule is made from its template.
func OwnerOf(app *snapshot.SparkApplication) Owner {
	for _, o := range app.Owners {
		if o.Kind == "ScheduledSparkApplication" {
			of := " of ScheduledSparkApplication " + o.Name
			return Owner{"template" + of, "spec.template", of}
		}
	}
	return Owner{"application", "spec", ""}
}

// Next is what to do about a pod that does not start.
func (p *PendingReason) Next(pod snapshot.Ref, owner Owner) []check.Command {
	if p.next == nil {
		return []check.Command{describe(pod)}
	}
	return p.next(pod, owner)
}
