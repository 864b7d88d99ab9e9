package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// eventsGroup serves the events of the core group once more (pkg/registry/core/event/storage in kubernetes: one storage, two
// groups). "kubectl get events.events.k8s.io -o yaml" writes them in this form.
const eventsGroup = "events.k8s.io"

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

// Event is an Event of either group, as the core group shows it. A series counts once.
type Event struct {
	Object
	Reason   string
	Message  string
	Involved Ref
	Count    int
	First    time.Time
	Last     time.Time
}

// decodeEvent reads an event of the source's group. It returns nil for one that no check reads.
func decodeEvent(src Source, item Item) (Record, error) {
	var e corev1.Event
	var err error
	if src.Group == eventsGroup {
		var other eventsv1.Event
		err = typed(item, &other)
		e = coreEvent(&other)
	} else {
		err = typed(item, &e)
	}
	if err == nil && !EventIsRead(e.Reason) {
		return nil, nil
	}
	return new(eventFrom(&e, item.Location)), err
}

// coreEvent returns what the core group shows of an event (pkg/apis/events/v1/conversion.go and zz_generated.conversion.go in
// kubernetes). The controller that reports is not kept.
func coreEvent(e *eventsv1.Event) corev1.Event {
	out := corev1.Event{
		ObjectMeta: e.ObjectMeta, Reason: e.Reason, Message: e.Note, InvolvedObject: e.Regarding, EventTime: e.EventTime,
		Count: e.DeprecatedCount, FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
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
