package mechanism

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// EndKind is what ended a pod or its process.
type EndKind int

// What ends them.
const (
	OtherEnd EndKind = iota // the pod says it in a word that is not known
	OOMKilled
	Evicted // by the kubelet
	Preempted
	Drained
	Descheduled // by the descheduler, which moves pods and keeps their nodes
	NodeLost
	JVMMemory // exit code 52
	Deadline
	Exited
	Rejected // by the kubelet
	Terminated
	Unstarted
)

// EndReason is why a pod or its process ended.
type EndReason struct {
	Kind EndKind
	Code int    // of Exited
	Word string // of OtherEnd, as the pod has it
}

// End is how one executor ended.
type End struct {
	Pod     snapshot.Ref
	Why     EndReason
	Reason  string // of the pod's status or its condition, in the words of the API, where something ended the pod from outside
	Code    int
	By      string // source of the event that tells of it; empty: none does
	Message string
	At      time.Time
	Proof   cause.Proof
	Trust   cause.Trust
}

// Killed reports whether the cluster ended it.
func (e End) Killed() bool {
	return slices.Contains([]EndKind{OOMKilled, Evicted, Preempted, Drained, Descheduled, NodeLost, Deadline, Rejected}, e.Why.Kind)
}

// ends are those of executors: by the pod where it is left, else by what events say of it. An executor that ended with its driver, or
// after it, is left out: that follows from the driver's end.
func ends(v *View) []End {
	byPod := map[string]End{}
	for _, e := range v.Events {
		for _, one := range endByEvent(v, &e) {
			old, has := byPod[one.Pod.Name]
			tellsMore := one.Killed() && !old.Killed()
			if tellsMore || !has {
				byPod[one.Pod.Name] = one
			}
		}
	}
	for _, p := range v.Executors {
		if one, ended := PodEnd(p); ended {
			one = v.rebooted(p, one)
			old, has := byPod[p.Name]
			if one.Why == old.Why {
				one.By = old.By
			}
			if !has || one.Killed() || !old.Killed() {
				byPod[p.Name] = one
			}
		} else if p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil {
			delete(byPod, p.Name) // what an event announced did not happen
		}
	}
	over := v.DriverEnd()
	var out []End
	for _, one := range byPod {
		// Executors notice within a second or two that the driver is gone; what ended in these seconds, ended with it.
		killedBefore := one.Why.Kind == OOMKilled && !one.At.After(over)
		if over.IsZero() || killedBefore || one.At.Before(over.Add(-2*time.Second)) {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b End) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.Pod.Name, b.Pod.Name)
	})
	return out
}

// PodEnd is how a pod ended by its own status. Who ends a pod from outside says so at the pod; its container then says "Error" with 137
// or 143 (kubernetes pkg/kubelet/eviction/eviction_manager.go@v1.36.3).
func PodEnd(p *corev1.Pod) (End, bool) {
	out := End{Pod: Ref(p), Message: p.Status.Message}
	t := app.Termination(p)
	if t != nil {
		out.Code, out.At = int(t.ExitCode), t.FinishedAt.UTC()
		out.Proof = cause.Proof{Object: out.Pod, Field: "status.containerStatuses[" + app.MainName(p) + "]", At: out.At,
			Value: fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode)}
	}
	d := condition(p, corev1.DisruptionTarget)
	if out.At.IsZero() && d != nil {
		out.At = d.LastTransitionTime.UTC()
	}
	failed := p.Status.Reason != "" && p.Status.Phase == corev1.PodFailed
	switch {
	case t != nil && t.Reason == snapshot.OOMKilled:
		out.Why.Kind = OOMKilled
		return out, true
	case failed || p.Status.Reason == "NodeLost":
		out.Why, out.Reason = PodReason(p.Status.Reason), p.Status.Reason
		out.Trust = cause.ByPod
		out.Proof = cause.Proof{Object: out.Pod, Field: "status.reason", Value: p.Status.Reason + ": " + strings.TrimSpace(p.Status.Message),
			At: out.At}
		if out.At.IsZero() && p.Status.StartTime != nil {
			out.At = p.Status.StartTime.UTC()
		}
		return out, true
	case isTrue(d):
		out.Why, out.Reason = Disruption(d.Reason), d.Reason
		out.Message, out.Trust = d.Message, cause.ByPod
		out.Proof = cause.Proof{Object: out.Pod, Field: "status.conditions[DisruptionTarget]", Value: d.Reason + ": " + d.Message, At: out.At}
		return out, true
	case t == nil, t.ExitCode == 0 && t.Reason != StatusUnknown:
		return out, false
	case MeaningOf(int(t.ExitCode), t.Reason) == NeverRan:
		out.Why.Kind, out.Message = Unstarted, t.Message
		out.Proof.Value += ": " + t.Message
		return out, true
	default:
		out.Why = byCode(int(t.ExitCode))
		return out, true
	}
}

// rebooted returns an end with a reboot of the node as its reason, if an event says so. The exit code is then 255, or that of the signal
// which the shutdown sent (event: pkg/kubelet/nodestatus/setters.go of kubernetes@v1.36.3).
func (v *View) rebooted(p *corev1.Pod, end End) End {
	t := app.Termination(p)
	if end.Killed() || t == nil || !slices.Contains([]int{137, 143, 255}, end.Code) {
		return end
	}
	for _, e := range v.eventsOn("Node", p.Spec.NodeName, "Rebooted") {
		if e.Last.After(t.StartedAt.Time) && e.Last.Sub(end.At).Abs() < 10*time.Minute {
			end.Why = EndReason{Kind: NodeLost}
			end.Message, end.Trust = e.Message, cause.ByEvent
			end.Proof = cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}
			return end
		}
	}
	return end
}

// PodReason groups what the kubelet and the node controller write into status.reason of a pod
// (kubernetes pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/eviction/eviction_manager.go@v1.36.3).
func PodReason(reason string) EndReason {
	switch {
	case reason == "Evicted":
		return EndReason{Kind: Evicted}
	case reason == "Preempting" || reason == "Preempted":
		return EndReason{Kind: Preempted}
	case reason == "DeadlineExceeded":
		return EndReason{Kind: Deadline}
	case reason == "NodeLost" || reason == "NodeShutdown" || reason == "Shutdown" || reason == "Terminated":
		return EndReason{Kind: NodeLost}
	case strings.HasPrefix(reason, "OutOf") || strings.HasPrefix(reason, "Node") || strings.HasPrefix(reason, "Unexpected") ||
		strings.HasSuffix(reason, "AffinityError"):
		return EndReason{Kind: Rejected}
	default:
		return EndReason{Word: reason}
	}
}

// Disruption groups reasons of the condition DisruptionTarget (kubernetes staging/src/k8s.io/api/core/v1/types.go@v1.36.3).
func Disruption(reason string) EndReason {
	switch reason {
	case corev1.PodReasonPreemptionByScheduler:
		return EndReason{Kind: Preempted}
	case "DeletionByTaintManager", "DeletionByPodGC":
		return EndReason{Kind: NodeLost}
	case corev1.PodReasonTerminationByKubelet:
		return EndReason{Kind: Evicted}
	default: // EvictionByEvictionAPI, and those of others
		return EndReason{Kind: Drained}
	}
}

// byCode groups exit codes: 52 is SparkExitCode.OOM (core/src/main/scala/org/apache/spark/util/SparkExitCode.scala@v3.5.5).
func byCode(code int) EndReason {
	switch code {
	case 52:
		return EndReason{Kind: JVMMemory}
	case 143:
		return EndReason{Kind: Terminated}
	default:
		return EndReason{Kind: Exited, Code: code}
	}
}
