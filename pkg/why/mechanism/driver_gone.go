package mechanism

import (
	"cmp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DriverGone is a driver of which nothing is left: no pod, no log, no event of its end. A driver that the operator misses looks alike:
// then its message says so (internal/controller/sparkapplication/controller.go@v2.5.2).
type DriverGone struct {
	Says string // what the operator recorded; empty: nothing
	Held bool   // the application is in PENDING_RERUN, and nothing says why the operator does not go on
}

// Mechanism names what was found.
func (DriverGone) Mechanism() cause.ID { return "driver-gone" }

// driverGone is what is left of a driver whose pod was deleted: events, and what the operator wrote.
func driverGone(v *View) []cause.Cause {
	if v.Driver != nil || v.Application == nil || v.Submitted.IsZero() || v.succeeded() || v.Unsubmitted() {
		return nil
	}
	name := v.DriverName
	if name == "" {
		name = app.DriverOf(v.AppRef().Name)
	}
	for _, e := range v.eventsOn("Pod", name) {
		kind, _ := endReason(e.Source, e.Reason)
		by := map[EndKind]func(*View, app.Event, string) cause.Cause{Preempted: gonePreempted, Evicted: goneEvicted, Drained: goneDrained,
			Descheduled: goneDescheduled, NodeLost: goneNodeLost}[kind]
		if by != nil && !strings.HasPrefix(e.Message, "Cancelling") {
			return []cause.Cause{by(v, e, name)}
		}
	}
	return []cause.Cause{recordedEnd(v, v.podNamed(name))}
}

// goneBy is the cause of an end that an event tells.
func (v *View) goneBy(e app.Event, pod string, d cause.Detail, about cause.Topics, more ...cause.Proof) cause.Cause {
	seen := append([]cause.Proof{{Object: v.podNamed(pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last}}, v.alsoRecorded()...)
	return cause.Cause{Class: cause.ClusterKilled, Role: cause.DriverRole, Topics: about, Detail: d, Subject: v.podNamed(pod),
		Trust: cause.ByEvent, At: e.Last, Evidence: append(seen, more...)}
}

// recordedEnd is what the operator recorded of the end of a driver that is gone.
func recordedEnd(v *View, pod snapshot.Ref) cause.Cause {
	killing := v.killing(pod)
	seen := append(v.alsoRecorded(), killing...)
	driver := v.Recorded.Driver
	gone := cause.Cause{Class: cause.Unknown, Effect: true, Role: cause.DriverRole, Certainty: check.Likely, Subject: pod,
		Trust: cause.ByOperator, At: v.Ended.UTC(), Evidence: seen}
	switch {
	case driver != nil && driver.Reason == snapshot.OOMKilled:
		gone.Class, gone.Topics = cause.ClusterKilled, ofOOM
		gone.Effect, gone.Certainty = false, check.Proven
		gone.Detail = OOM{Limit: v.limit(nil, "driver"), Gone: true}
	case driver != nil && ofStop(driver.Code) && len(killing) > 0:
		return goneDeleted(v, pod, driver.Code, seen)
	case driver != nil:
		gone.Detail = ExitCode{Code: driver.Code, Reason: driver.Reason, Gone: true}
		gone.Topics = ofCode(driver.Code) | cause.Gone
	case v.Recorded.DriverMissing:
		return driverNotFound(v, pod, seen)
	case v.State == "RUNNING" || v.State == "SUBMITTED":
		gone.Detail = DriverUnseen{State: v.State}
	default:
		gone.Detail, gone.Topics = DriverGone{Says: v.Message, Held: v.Message == "" && v.State == "PENDING_RERUN"}, cause.Gone
	}
	return gone
}

// nodeOf is the node that a pod ran on: by the pod, else by what the scheduler said, or whose kubelet wrote of it; empty: nothing tells.
func (v *View) nodeOf(name string) string {
	if p := v.Pod(name); p != nil && p.Spec.NodeName != "" {
		return p.Spec.NodeName
	}
	scheduled, wrote := "", ""
	for _, e := range v.eventsOn("Pod", name) {
		scheduled, wrote = cmp.Or(e.ScheduledTo(), scheduled), cmp.Or(e.Kubelet, wrote)
	}
	return cmp.Or(scheduled, wrote, v.LostWith[name])
}
