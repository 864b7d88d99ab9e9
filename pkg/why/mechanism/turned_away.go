package mechanism

import (
	"cmp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TurnedAway is a driver that never came to a node: its scheduler set it to Failed, as YuniKorn does with pods of an application that it
// rejects (pkg/cache/application.go, handleFailApplicationEvent of apache/yunikorn-k8shim@v1.6.0). The message of the pod ends at a colon
// there, and its event then has all of it.
type TurnedAway struct {
	Scheduler string
	Reason    string // status.reason of the pod
	Says      string // by the scheduler
	Why       QueueRefusal
	Queue     string   // that refused it, else that the application asks for; empty: none
	Gang      app.Gang // that the pod asks for
	Most      corev1.ResourceList
}

// QueueRefusal is why YuniKorn takes no application (AddApplication in pkg/scheduler/partition.go of apache/yunikorn-core@v1.6.0 and
// @v1.8.0).
type QueueRefusal string

// The rejections.
const (
	OtherRefusal    QueueRefusal = ""
	NotPlaced       QueueRefusal = "placement"   // by the placement rules, or the queue that they name cannot be made
	QueueNotLeaf    QueueRefusal = "leaf"        // the queue has queues below it
	QueueNotFIFO    QueueRefusal = "sort policy" // its applications are not sorted first in, first out
	QueueBelowAGang QueueRefusal = "maximum"     // the queue, or one above it, may have less than the gang asks for
)

// The texts, with the queue: the first colon may have ended them.
var (
	cannotRun   = lazyregexp.New(`\bqueue (\S+) cannot run application \S+ with task group request`)
	cannotFit   = lazyregexp.New(`\bqueue (\S+) cannot fit application \S+`)
	notLeaf     = lazyregexp.New(`\bfailed to find queue (\S+) for application`)
	cannotPlace = lazyregexp.New(`\bfailed to place application|\bfailed to create rule based queue (\S+)`)
)

// mostOf matches the maximum of a queue: bytes, and thousandths of a vcore (pkg/common/resources/resources.go of yunikorn-core@v1.6.0).
var (
	mostOf   = lazyregexp.New(`larger than max queue allocation map\[([^\]]*)\]`)
	quantity = lazyregexp.New(`\b(memory|vcore):(\d{1,18})\b`)
)

func (d *TurnedAway) read() {
	for _, r := range []struct {
		why  QueueRefusal
		says *lazyregexp.Regexp
	}{{QueueNotFIFO, cannotRun}, {QueueBelowAGang, cannotFit}, {QueueNotLeaf, notLeaf}, {NotPlaced, cannotPlace}} {
		if m := r.says.FindStringSubmatch(d.Says); m != nil {
			d.Why, d.Queue = r.why, cmp.Or(m[1], d.Queue)
			break
		}
	}
	m := mostOf.FindStringSubmatch(d.Says)
	if m == nil {
		return
	}
	d.Most = corev1.ResourceList{}
	for _, one := range quantity.FindAllStringSubmatch(m[1], -1) {
		n, _ := strconv.ParseInt(one[2], 10, 64) // 18 digits fit
		if one[1] == "memory" {
			d.Most[corev1.ResourceMemory] = *resource.NewQuantity(n, resource.BinarySI)
		} else {
			d.Most[corev1.ResourceCPU] = *resource.NewMilliQuantity(n, resource.DecimalSI)
		}
	}
}

// Fitting is how many members of the largest part fit the maximum of the queue beside the others; false: the maximum is not known, or none
// fits.
func (d *TurnedAway) Fitting() (part app.GangPart, n int64, known bool) {
	for _, one := range d.Gang.Parts {
		if one.MinMember > part.MinMember {
			part = one
		}
	}
	n = part.MinMember
	for name, most := range d.Most {
		each, all := part.Each[name], d.Gang.Total()[name]
		if each.MilliValue() <= 0 {
			continue
		}
		others := all.AsApproximateFloat64() - float64(part.MinMember)*each.AsApproximateFloat64()
		n = min(n, int64((most.AsApproximateFloat64()-others)/each.AsApproximateFloat64()))
	}
	return part, n, n > 0 && n < part.MinMember
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
		Queue: cmp.Or(p.Labels["queue"], p.Annotations["yunikorn.apache.org/queue"], v.Spec.Queue)}
	for _, e := range v.eventsOn("Pod", p.Name) {
		if e.Type == corev1.EventTypeWarning && e.Source == p.Spec.SchedulerName && strings.Contains(e.Message, d.Says) {
			seen = append(seen, cause.Proof{Object: end.Pod, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
			d.Says, at = e.Message, e.Last.UTC()
		}
	}
	if d.read(); d.Queue != "" && d.Queue == v.Spec.Queue {
		seen = append(seen, cause.Proof{Object: v.AppRef(), Field: "spec.batchSchedulerOptions.queue", Value: d.Queue})
	}
	if d.Why == QueueBelowAGang {
		d.Gang = app.GangOf(p)
		seen = append(seen, cause.Proof{Object: end.Pod, Field: "metadata.annotations[" + taskGroups + "]", Value: p.Annotations[taskGroups]})
	}
	return []cause.Cause{{Class: cause.Scheduling, Role: cause.DriverRole, Detail: d, Subject: end.Pod, At: at, Trust: cause.ByPod,
		Evidence: seen}}
}
