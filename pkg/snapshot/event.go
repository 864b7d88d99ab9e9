package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// OwnerRefInvalidNamespace is the reason of the event that the garbage collector leaves on an object whose owner
// it knows in another namespace (kubernetes pkg/controller/garbagecollector/garbagecollector.go).
const OwnerRefInvalidNamespace = "OwnerRefInvalidNamespace"

// What the kubelet says of a pod whose containers it cannot make, which the pod's status does not tell
// (kubernetes pkg/kubelet/events/event.go).
const (
	FailedMount            = "FailedMount"
	FailedMapVolume        = "FailedMapVolume"
	FailedAttachVolume     = "FailedAttachVolume"
	FailedCreatePodSandBox = "FailedCreatePodSandBox"
)

// EventIsRead reports whether a check reads events of a reason; others are not kept.
func EventIsRead(reason string) bool {
	switch reason {
	case OwnerRefInvalidNamespace, FailedMount, FailedMapVolume, FailedAttachVolume, FailedCreatePodSandBox:
		return true
	default:
		return false
	}
}

// warningsAsked selects the events by type and leaves out the reasons of which there are the most. The API server knows
// no "one of", and a second listing would read all events once more.
const warningsAsked = "type=Warning,reason!=BackOff,reason!=Unhealthy,reason!=FailedScheduling,reason!=Failed,reason!=DNSConfigForming," +
	"reason!=FailedGetResourceMetric,reason!=FailedComputeMetricsReplicas,reason!=SparkExecutorFailed,reason!=SparkExecutorUnknown"

// keptEventMessage bounds what is kept of a message; the recorder cuts at 1,024 bytes itself.
const keptEventMessage = 1024

// Event is a core/v1 Event. A series counts once.
type Event struct {
	Object
	Reason   string
	Message  string
	Involved Ref
	Count    int
	First    time.Time
	Last     time.Time
}

func eventFrom(e *corev1.Event, loc Location) Event {
	out := Event{
		Object: objectFrom("v1", "Event", &e.ObjectMeta, loc), Reason: e.Reason,
		Message: excerpt(e.Message, keptEventMessage),
		Involved: Ref{
			APIVersion: e.InvolvedObject.APIVersion, Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace,
			Name: e.InvolvedObject.Name, UID: string(e.InvolvedObject.UID),
		},
		Count: max(1, int(e.Count)), First: e.FirstTimestamp.UTC(), Last: e.LastTimestamp.UTC(),
	}
	if e.FirstTimestamp.IsZero() {
		out.First, out.Last = e.EventTime.UTC(), e.EventTime.UTC()
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.UTC()
	}
	return out
}
