package mechanism

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// QueueHolds is an application that Kueue, Volcano or a like scheduler holds back, by a condition of the Workload or PodGroup that stands
// for it. It looks like one that a user suspended: Kueue sets spec.suspend, too.
type QueueHolds struct {
	Queue     string
	Hold      Hold
	Reason    string // of the condition
	Said      string
	Preempted bool   // it had run, and Kueue preempted it
	ForWhat   string // what Kueue said of that
	// Absent is the kind of the queue that does not exist, Inactive of the one that takes nothing.
	Absent, Inactive string
	Named            string // that queue
	Closed           Closed // why it takes nothing, where it says so
	Label            string // where the application names the queue: "metadata.labels"
	Never            bool   // the queue may never have as much as the group asks for
	Gated            bool   // by a scheduling gate of the driver's pod, and not by spec.suspend
}

// Mechanism returns its ID.
func (QueueHolds) Mechanism() cause.ID { return "queue-holds" }

// Closed is why a queue takes nothing, by its own condition.
type Closed struct {
	Reason, Said string
	Missing      []string // the ResourceFlavors that it refers to and that do not exist
}

// Hold is how an application is held back.
type Hold string

// How.
const (
	HeldForQuota Hold = "quota"        // Kueue waits until the quota has room
	HeldStopped  Hold = "stopped"      // its ClusterQueue is stopped
	HeldInvalid  Hold = "inadmissible" // to a queue that does not exist or takes nothing
	HeldEvicted  Hold = "evicted"      // Kueue ended it
	HeldDrained  Hold = "drained"      // Kueue ended it, as its queue was stopped with HoldAndDrain
	HeldAsGroup  Hold = "group"        // a batch scheduler has no room for all of the PodGroup
)

func conditionProof(c *app.Condition, of snapshot.Ref) cause.Proof {
	return cause.Proof{Object: of, Field: "status.conditions[" + c.Type + "]", Value: c.Reason + ": " + c.Message}
}

// holds tells a condition that keeps an application from starting (Kueue apis/kueue/v1beta1/workload_types.go@v0.14.0, Volcano
// pkg/apis/scheduling/v1beta1/types.go@v1.12.0).
func holds(c *app.Condition) bool {
	switch c.Type {
	case "QuotaReserved":
		return c.Status == "False"
	case "Evicted", "Unschedulable":
		return c.Status == "True"
	default:
		return false
	}
}

func queued(v *View) []cause.Cause {
	var out []cause.Cause
	for i := range v.Queued {
		q := &v.Queued[i]
		for j := range q.Conditions {
			if c := &q.Conditions[j]; holds(c) && !v.DriverRuns() {
				out = append(out, queueHolds(v, q, c))
			}
		}
	}
	return out
}

func queueHolds(v *View, q *app.Queued, by *app.Condition) cause.Cause {
	d := QueueHolds{Queue: q.Queue, Hold: HeldForQuota, Reason: by.Reason, Said: by.Message}
	class := cause.Quota
	evidence := []cause.Proof{conditionProof(by, q.Ref), {Object: v.AppRef(), Field: "spec.suspend", Value: fmt.Sprint(v.Spec.Suspend)}}
	if gate, is := v.gate(); is && !v.Spec.Suspend {
		d.Gated, evidence[1] = true, gate
	}
	switch {
	case by.Type == "Evicted" && (by.Reason == "ClusterQueueStopped" || by.Reason == "LocalQueueStopped"):
		d.Hold = HeldDrained
	case by.Type == "Evicted":
		d.Hold, class = HeldEvicted, cause.ClusterKilled
	case q.Kind == "PodGroup":
		d.Hold = HeldAsGroup
		room, _ := queueRoom(v)
		d.Never = room.Never
		if !by.Says.Quota {
			class = cause.Scheduling
		}
	default:
		if at := slices.IndexFunc(q.Conditions, preempts); at >= 0 {
			d.Preempted, d.ForWhat = true, q.Conditions[at].Message
			evidence = append(evidence, conditionProof(&q.Conditions[at], q.Ref))
		}
		switch {
		case by.Says.Stopped:
			d.Hold = HeldStopped
		case by.Says.Invalid:
			d.Hold, class = HeldInvalid, cause.Configuration
			d.Absent, d.Inactive, d.Named, d.Label = by.Says.Absent, by.Says.Inactive, by.Says.Name, v.queueLabel()
			if proof, closed := v.closedQueue(&d); closed.Reason != "" {
				d.Closed, evidence = closed, append([]cause.Proof{proof}, evidence...)
			}
		}
	}
	role := cause.DriverRole
	if by.Says.Executors {
		role = cause.ExecutorRole
	}
	return cause.Cause{Class: class, Role: role, Topics: ofMemory(by.Says.Memory), Subject: q.Ref, Trust: cause.ByCondition,
		Detail: d, Evidence: evidence}
}

// closedQueue is what a ClusterQueue that takes nothing says of itself. One that takes work by now has no such condition.
func (v *View) closedQueue(d *QueueHolds) (cause.Proof, Closed) {
	for i := range v.ClusterQueues {
		if q := &v.ClusterQueues[i]; d.Inactive == q.Kind && d.Named == q.Name {
			return conditionProof(&q.Inactive, q.Ref), Closed{Reason: q.Inactive.Reason, Said: q.Inactive.Message, Missing: q.Missing}
		}
	}
	return cause.Proof{}, Closed{}
}

// gate is what the API server says of a driver that Kueue holds back by a scheduling gate: of plain pods it takes no other way
// (pkg/controller/jobs/pod/pod_webhook.go@v0.14.4).
func (v *View) gate() (cause.Proof, bool) {
	if v.Driver == nil {
		return cause.Proof{}, false
	}
	s := condition(v.Driver, corev1.PodScheduled)
	if s == nil || s.Reason != corev1.PodReasonSchedulingGated {
		return cause.Proof{}, false
	}
	return cause.Proof{Object: Ref(v.Driver), Field: "status.conditions[PodScheduled]", Value: s.Reason + ": " + s.Message,
		At: s.LastTransitionTime.UTC()}, true
}

// queueLabel is where the application has the label that names its queue: at itself, where Kueue manages SparkApplications, or at its pods
// (pkg/controller/constants/constants.go@v0.14.4).
func (v *View) queueLabel() string {
	const label = "kueue.x-k8s.io/queue-name"
	switch {
	case v.Application != nil && v.Application.Labels[label] != "":
		return "metadata.labels"
	case v.Driver != nil && v.Driver.Labels[label] != "":
		return "spec.driver.labels and spec.executor.labels"
	default:
		return ""
	}
}

// preempts reports whether a Workload that waits had run and was stopped.
func preempts(c app.Condition) bool {
	return c.Type == "Evicted" && c.Status == "True" && c.Reason == "Preempted"
}

// heldByQueue reports whether a queue, and not a user, suspends the application.
func heldByQueue(v *View) bool {
	return slices.ContainsFunc(queued(v), func(c cause.Cause) bool { return c.Class.Fault() })
}
