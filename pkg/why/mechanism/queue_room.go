package mechanism

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// QueueRoom is what a queue of Volcano lacks for all of a PodGroup. Zero: the queue was not seen, or lacks nothing by its capability.
type QueueRoom struct {
	Queue, Group snapshot.Ref
	Never        bool // the group asks for more than the queue may ever have; else it has that much, and others hold it
	Short        []QueueShort
	// Fits is how many executors the queue may have at once beside the driver; 0: none, or it is not known.
	Fits int
	// BySpec says that spec.batchSchedulerOptions.resources sets what the group asks for.
	BySpec bool
}

// QueueShort is a resource that a queue lacks.
type QueueShort struct {
	Resource         corev1.ResourceName
	Asks, Most, Held resource.Quantity // by the group at once; the capability of the queue, and what is allocated of it
}

// defaultQueue is that of a PodGroup which names none (pkg/scheduler/api/types.go of volcano-sh/volcano@v1.12.0).
const defaultQueue = "default"

// queueRoom compares a PodGroup with its queue. A group is let in when what it asks for at least, what the queue has allocated, and what
// it let in before are together within its capability; a resource that this does not name has no bound (AddJobEnqueueableFn in
// pkg/scheduler/plugins/proportion/proportion.go and jobEnqueueable in capacity/capacity.go of volcano-sh/volcano@v1.12.0).
func queueRoom(v *View) (QueueRoom, []cause.Proof) {
	for i := range v.Queued {
		group := &v.Queued[i]
		if group.Kind != "PodGroup" || group.Group() != "scheduling.volcano.sh" || len(group.Least) == 0 {
			continue
		}
		for j := range v.Queues {
			if queue := &v.Queues[j]; queue.Name == cmp.Or(group.Queue, defaultQueue) {
				return roomIn(v, group, queue)
			}
		}
	}
	return QueueRoom{}, nil
}

func roomIn(v *View, group *app.Queued, queue *app.Queue) (QueueRoom, []cause.Proof) {
	out := QueueRoom{Queue: queue.Ref, Group: group.Ref, BySpec: v.Spec.GroupAsks}
	never, full := []QueueShort{}, []QueueShort{}
	for _, name := range sortedNames(group.Least) {
		most, bounded := queue.Capability[name]
		if !bounded {
			continue
		}
		one := QueueShort{Resource: name, Asks: group.Least[name], Most: most, Held: queue.Allocated[name]}
		left := most.DeepCopy()
		left.Sub(one.Held)
		switch {
		case one.Asks.Cmp(most) > 0:
			never = append(never, one)
		case one.Asks.Cmp(left) > 0:
			full = append(full, one)
		}
	}
	out.Short = full
	if len(never) > 0 {
		out.Short, out.Never, out.Fits = never, true, fitsQueue(v, never)
	}
	if len(out.Short) == 0 {
		return QueueRoom{}, nil
	}
	var proofs []cause.Proof
	for _, s := range out.Short {
		proofs = append(proofs,
			cause.Proof{Object: queue.Ref, Field: "spec.capability[" + string(s.Resource) + "]", Value: s.Most.String()},
			cause.Proof{Object: queue.Ref, Field: "status.allocated[" + string(s.Resource) + "]", Value: s.Held.String()})
	}
	return out, proofs
}

// fitsQueue is with how many executors the group would fit: the operator asks for the driver and all executors in it, where the spec does
// not say otherwise (syncPodGroupInClusterMode in internal/scheduler/volcano/scheduler.go@v2.5.2).
func fitsQueue(v *View, short []QueueShort) int {
	asked := v.Spec.Asked()
	if v.Driver == nil || asked < 1 || v.Spec.GroupAsks || v.Spec.Mode == "client" {
		return 0
	}
	driver, fits := helpers.PodRequests(v.Driver, helpers.PodResourcesOptions{}), asked
	for _, s := range short {
		first := driver[s.Resource]
		all, left := s.Asks.MilliValue()-first.MilliValue(), s.Most.MilliValue()-first.MilliValue()
		if all <= 0 || left < 0 {
			return 0
		}
		fits = min(fits, int(left*int64(asked)/all))
	}
	return fits
}
