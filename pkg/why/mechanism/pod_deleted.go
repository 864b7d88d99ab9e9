package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Deletion is a driver that got SIGTERM, because its pod was deleted. Whoever evicts, preempts or collects a pod leaves the condition
// DisruptionTarget at it (kubernetes pkg/registry/core/pod/storage/eviction.go@v1.36.3); a plain delete leaves nothing. Of a pod that is
// gone, its node tells whether it may have been a drain: a drained node is marked, and one that was seen unmarked was not drained.
type Deletion struct {
	Code       int // exit code; 0: it has not ended, or nothing tells
	By         Deleter
	Generation int64 // of the spec that was changed
	Node       string
	NodeIs     NodeState // NodeUntold: the pod is there, or nothing tells
	Says       string    // an event of a node that left service
	Preempted  bool      // it may have been preempted: it has a priority class
}

// Mechanism names what was found.
func (Deletion) Mechanism() cause.ID { return "pod-deleted" }

// Deleter is who deleted a pod.
type Deleter int

// Who deleted a pod.
const (
	UntoldDeleter   Deleter = iota // its conditions are gone
	WithApplication                // the application itself is deleted
	ToSuspend                      // the operator
	ToRestart                      // the operator, because the spec was changed
	Directly                       // a user or a controller, without an eviction
)

// NodeState is what the node of a pod that is gone tells.
type NodeState int

// What a node tells.
const (
	NodeUntold      NodeState = iota
	NodeLeftService           // an event says so
	NodeDrains                // it is cordoned or not ready
	NodeStays                 // it is ready and not cordoned
)

// ofStop reports whether an exit code is that of a signal by which a kubelet stops a container: SIGTERM, then SIGKILL.
func ofStop(code int) bool { return code == 143 || code == 137 }

// deletedMeanwhile is about a driver that ended by the signal of a deletion.
func deletedMeanwhile(v *View, d *exited) *cause.Cause {
	marked := d.pod.DeletionTimestamp != nil
	killing := v.killing(d.end.Pod)
	deleted := marked || len(killing) > 0
	if !deleted || !ofStop(d.end.Code) {
		return nil
	}
	c := v.deleted(d.end.Pod, d.end.At, deletion(v, d.end.Code, marked), append(d.seen, killing...))
	return &c
}

// terminating is about a driver that was deleted and still runs for its grace period.
func terminating(v *View, p *corev1.Pod) []cause.Cause {
	if p.DeletionTimestamp == nil {
		return nil
	}
	at := p.DeletionTimestamp.UTC()
	seen := []cause.Proof{{Object: Ref(p), Field: "metadata.deletionTimestamp", Value: at.Format(time.TimeOnly), At: at}}
	return []cause.Cause{v.deleted(Ref(p), at, deletion(v, 0, true), append(seen, v.killing(Ref(p))...))}
}

// goneDeleted is about one that is gone.
func goneDeleted(v *View, pod snapshot.Ref, code int, seen []cause.Proof) cause.Cause {
	d := deletion(v, code, false)
	d.Node = v.nodeOf(pod.Name)
	for _, e := range v.eventsOn("Node", d.Node, "NodeNotSchedulable", "NodeNotReady", "RemovingNode", "DrainStarted", "Drain",
		"DisruptionTerminating") {
		d.NodeIs, d.Says = NodeLeftService, e.Message
		return v.deleted(pod, v.Ended.UTC(), d, append(seen, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message,
			At: e.Last}))
	}
	if n := v.Node(d.Node); n != nil {
		ready := slices.ContainsFunc(n.Status.Conditions, func(r corev1.NodeCondition) bool {
			return r.Type == corev1.NodeReady && r.Status == corev1.ConditionTrue
		})
		switch {
		case n.Spec.Unschedulable || !ready:
			d.NodeIs = NodeDrains
		case v.Spec.Driver.PriorityClassName != "":
			d.Preempted = true
		default:
			d.NodeIs = NodeStays
		}
	}
	return v.deleted(pod, v.Ended.UTC(), d, seen)
}

// deletion is who deleted the driver; seen: the pod was, so that a condition would tell of an eviction.
func deletion(v *View, code int, seen bool) Deletion {
	out := Deletion{Code: code}
	var generation int64
	if v.Application != nil {
		generation = v.Application.Generation
	}
	changed := generation > 1 || v.State == "INVALIDATING" || v.State == "PENDING_RERUN"
	switch {
	case v.Application != nil && v.Application.DeletionTimestamp != nil:
		out.By = WithApplication
	case v.State == "SUSPENDING" || v.State == "SUSPENDED": // which changes the generation, too
		out.By = ToSuspend
	case changed && v.State != "FAILED":
		out.By, out.Generation = ToRestart, generation
	case seen:
		out.By = Directly
	}
	return out
}

// deleted is an effect where nothing tells who did it.
func (v *View) deleted(pod snapshot.Ref, at time.Time, d Deletion, seen []cause.Proof) cause.Cause {
	c := cause.Cause{Class: cause.StoppedByUser, Role: cause.DriverRole, Certainty: check.Likely, Detail: d, Subject: pod, At: at,
		Trust: cause.ByPod, Evidence: seen}
	switch {
	case d.NodeIs == NodeLeftService || d.NodeIs == NodeDrains:
		c.Class = cause.ClusterKilled
	case d.By == UntoldDeleter:
		c.Class, c.Effect = cause.Unknown, true
	}
	if d.NodeIs == NodeUntold {
		c.Topics = ofCode(d.Code)
		if d.By == UntoldDeleter {
			c.Topics |= cause.Gone
		}
	}
	return c
}

// killing are the events of the kubelet that ends a pod.
func (v *View) killing(pod snapshot.Ref) []cause.Proof {
	var out []cause.Proof
	for _, e := range v.eventsOn("Pod", pod.Name, "Killing") {
		out = append(out, cause.Proof{Object: pod, Field: "event Killing", Value: e.Message, At: e.Last})
	}
	return out
}
