package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TurnedAway is a driver that never came to a node: its scheduler set it to Failed, as YuniKorn does with pods of an application that it
// rejects (pkg/cache/application.go, handleFailApplicationEvent of apache/yunikorn-k8shim@v1.6.0). Its message may end early there, and its
// event then has all of it.
type TurnedAway struct {
	Scheduler string
	Reason    string // status.reason of the pod
	Says      string // by the scheduler
	Gang      GangRefusal
	Queue     string // that the application asks for; empty: none
}

// GangRefusal is why a queue of YuniKorn takes no gang (AddApplication in pkg/scheduler/partition.go of apache/yunikorn-core@v1.6.0).
type GangRefusal string

// The refusals.
const (
	NoGangRefused   GangRefusal = ""
	QueueNotFIFO    GangRefusal = "sort policy" // its applications are not sorted first in, first out
	QueueBelowAGang GangRefusal = "maximum"     // the queue may have less than the gang asks for
)

// gangRefusal reads it.
func gangRefusal(says string) GangRefusal {
	switch {
	case strings.Contains(says, "with task group request: unsupported sort type"):
		return QueueNotFIFO
	case strings.Contains(says, "task group request") && strings.Contains(says, "larger than max queue allocation"):
		return QueueBelowAGang
	default:
		return NoGangRefused
	}
}

// Mechanism names what was found.
func (TurnedAway) Mechanism() cause.ID { return "turned-away" }

func turnedAway(v *View, p *corev1.Pod, end End) []cause.Cause {
	if p.Spec.NodeName != "" || p.Status.Phase != corev1.PodFailed || p.Status.Reason == "" || len(p.Status.ContainerStatuses) > 0 {
		return nil
	}
	if p.Status.Reason == reservationTimeout {
		return []cause.Cause{gangTimedOut(v, p, end)}
	}
	at, seen := end.At, v.alsoRecorded(end.Proof)
	d := TurnedAway{Scheduler: p.Spec.SchedulerName, Reason: p.Status.Reason, Says: strings.TrimSpace(p.Status.Message),
		Queue: v.Spec.Queue}
	for _, e := range v.eventsOn("Pod", p.Name) {
		if e.Type == corev1.EventTypeWarning && e.Source == p.Spec.SchedulerName && strings.Contains(e.Message, d.Says) {
			seen = append(seen, cause.Proof{Object: end.Pod, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
			d.Says, at = e.Message, e.Last.UTC()
		}
	}
	d.Gang = gangRefusal(d.Says)
	if d.Queue != "" {
		seen = append(seen, cause.Proof{Object: v.AppRef(), Field: "spec.batchSchedulerOptions.queue", Value: d.Queue})
	}
	return []cause.Cause{{Class: cause.Scheduling, Role: cause.DriverRole, Detail: d, Subject: end.Pod, At: at, Trust: cause.ByPod,
		Evidence: seen}}
}
