package mechanism

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// failedExecutor matches what the operator says of an executor that failed (internal/controller/sparkapplication/
// event_handler.go and controller.go@v2.5.2). Up to 2.2.1 the text is garbled (#2582) and does not match.
var failedExecutor = lazyregexp.New(`^Executor (\S+) failed with ExitCode: (\d+), Reason: ([^,]*), Pod Message: ?(?s:(.*))$`)

// executorFailed is the reason of that event. From kubeflow/spark-operator#2946 on one that repeats is a series, of any executor, which
// tells of the first (getKey in tools/events/event_broadcaster.go of k8s.io/client-go@v0.35.4 has no note).
const executorFailed = "SparkExecutorFailed"

func endByEvent(v *View, e *app.Event) []End {
	on, at := e.Involved, e.Last.UTC()
	if e.Reason == executorFailed {
		at = e.First.UTC() // that of a series is of its first one
	}
	one := End{Pod: on, Message: e.Message, At: at, Trust: cause.ByEvent,
		Proof: cause.Proof{Object: on, Field: "event " + e.Reason, Value: e.Message, At: at}}
	if on.Kind == "Pod" && app.PodNameOf(on.Name).Executor == "" {
		return nil
	}
	switch {
	case on.Kind == "SparkApplication" && e.Reason == executorFailed:
		m := failedExecutor.FindStringSubmatch(e.Message)
		if m == nil {
			return nil
		}
		one.Pod, one.Message = v.podNamed(m[1]), m[4]
		one.Code, _ = strconv.Atoi(m[2])
		one.Why = byCode(one.Code)
		switch {
		case m[3] == snapshot.OOMKilled:
			one.Why = EndReason{Kind: OOMKilled}
		case ofEviction(m[4]):
			one.Why = EndReason{Kind: Evicted}
		}
		return []End{one}
	case on.Kind != "Pod":
		return nil
	}
	if kind, is := endReason(e.Source, e.Reason); is {
		one.Why.Kind, one.By = kind, e.Source
		return []End{one}
	}
	return nil
}

// endReason is what an event of a pod says of its end. "Evicted" comes from the kubelet, and from autoscalers that drain a node.
func endReason(source, reason string) (kind EndKind, is bool) {
	// Its reasons are the names of strategies (kubernetes-sigs/descheduler pkg/descheduler/evictions/evictions.go@v0.31.0).
	if removerOf(source, reason) == Descheduler {
		return Descheduled, true
	}
	switch reason {
	case "Evicted":
		if source == "kubelet" {
			return Evicted, true
		}
		return Drained, true
	case "Preempted", "Preempting":
		return Preempted, true
	case "TaintManagerEviction", "NodeNotReady":
		return NodeLost, true
	// Karpenter says "Disrupted" of pods that it deletes since their node ends (pkg/controllers/node/termination/terminator/events/
	// events.go of kubernetes-sigs/karpenter@03ab0b1).
	case "DisruptionTerminating", "Disrupted", "Drain", "ScaleDown", "DeletingPod", "EvictedByDescheduler":
		return Drained, true
	default:
		return OtherEnd, false
	}
}
