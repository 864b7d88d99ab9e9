package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

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
		Object: objectFrom("v1", "Event", &e.ObjectMeta, loc), Reason: e.Reason, Message: e.Message,
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
