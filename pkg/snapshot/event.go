package snapshot

import (
	"time"
)

// EventsGroup serves the events of the core group once more (pkg/registry/core/event/storage in kubernetes: one storage, two
// groups). "kubectl get events.events.k8s.io -o yaml" writes them in this form.
const EventsGroup = "events.k8s.io"

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

func (e *Event) dates(see func(time.Time)) { see(e.Last) }
