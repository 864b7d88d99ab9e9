package mechanism

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
}

// Mechanism returns its ID.
func (QueueHolds) Mechanism() cause.ID { return "queue-holds" }

// Hold is how an application is held back.
type Hold string

// How.
const (
	HeldForQuota Hold = "quota"        // Kueue waits until the quota has room
	HeldStopped  Hold = "stopped"      // its ClusterQueue is stopped
	HeldInvalid  Hold = "inadmissible" // to a queue that does not exist or takes nothing
	HeldEvicted  Hold = "evicted"      // Kueue ended it
	HeldAsGroup  Hold = "group"        // a batch scheduler has no room for all of the PodGroup
)

// queueCondition is one of a Workload or PodGroup.
type queueCondition struct{ kind, status, reason, message string }

func queueConditions(o *unstructured.Unstructured) []queueCondition {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	out := make([]queueCondition, 0, len(list))
	for _, one := range list {
		m, _ := one.(map[string]any)
		text := func(field string) string {
			s, _, _ := unstructured.NestedString(m, field)
			return s
		}
		out = append(out, queueCondition{text("type"), text("status"), text("reason"), text("message")})
	}
	return out
}

func (c queueCondition) proof(of snapshot.Ref) cause.Proof {
	return cause.Proof{Object: of, Field: "status.conditions[" + c.kind + "]", Value: c.reason + ": " + c.message}
}

// holds tells a condition that keeps an application from starting (Kueue apis/kueue/v1beta1/workload_types.go@v0.14.0, Volcano
// pkg/apis/scheduling/v1beta1/types.go@v1.12.0).
func (c queueCondition) holds() bool {
	switch c.kind {
	case "QuotaReserved":
		return c.status == "False"
	case "Evicted", "Unschedulable":
		return c.status == "True"
	default:
		return false
	}
}

func queued(v *View) []cause.Cause {
	var out []cause.Cause
	for i := range v.Queued {
		all := queueConditions(&v.Queued[i])
		for _, one := range all {
			if one.holds() && !v.driverRuns() {
				out = append(out, queueHolds(v, &v.Queued[i], one, all))
			}
		}
	}
	return out
}

func queueHolds(v *View, o *unstructured.Unstructured, by queueCondition, all []queueCondition) cause.Cause {
	ref := snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
		UID: string(o.GetUID())}
	d := QueueHolds{Hold: HeldForQuota, Reason: by.reason, Said: by.message}
	d.Queue, _, _ = unstructured.NestedString(o.Object, "spec", "queueName")
	if d.Queue == "" {
		d.Queue, _, _ = unstructured.NestedString(o.Object, "spec", "queue")
	}
	class, lower := cause.Quota, strings.ToLower(by.message)
	evidence := []cause.Proof{by.proof(ref), {Object: v.AppRef(), Field: "spec.suspend", Value: fmt.Sprint(v.suspended())}}
	switch {
	case by.kind == "Evicted":
		d.Hold, class = HeldEvicted, cause.ClusterKilled
	case o.GetKind() == "PodGroup":
		d.Hold = HeldAsGroup
		if !strings.Contains(lower, "quota") && !strings.Contains(lower, "queue") {
			class = cause.Scheduling
		}
	default:
		if at := slices.IndexFunc(all, queueCondition.preempts); at >= 0 {
			d.Preempted, d.ForWhat = true, all[at].message
			evidence = append(evidence, all[at].proof(ref))
		}
		switch {
		case strings.HasSuffix(by.message, " is stopped"): // Kueue pkg/controller/core/workload_controller.go@v0.14.4
			d.Hold = HeldStopped
		case strings.Contains(by.message, "doesn't exist"), strings.Contains(by.message, "inactive"),
			strings.Contains(by.reason, "Inadmissible"):
			d.Hold, class = HeldInvalid, cause.Configuration
		}
	}
	return cause.Cause{Class: class, Role: d.role(), Topics: ofMemory(namesMemory(d.Said)), Subject: ref, Trust: cause.ByCondition, Detail: d,
		Evidence: evidence}
}

// preempts reports whether a Workload that waits had run and was stopped.
func (c queueCondition) preempts() bool {
	return c.kind == "Evicted" && c.status == "True" && c.reason == "Preempted"
}

// role is whose pods have no room: Kueue names the pod set (pkg/scheduler/flavorassigner/flavorassigner.go@v0.14.4).
func (d QueueHolds) role() cause.Role {
	if strings.Contains(d.Said, "pod set executor") {
		return cause.ExecutorRole
	}
	return cause.DriverRole
}

// heldByQueue reports whether a queue, and not a user, suspends the application.
func (v *View) heldByQueue() bool {
	return slices.ContainsFunc(queued(v), func(c cause.Cause) bool { return c.Class.Fault() })
}
