package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// PlaceholdersSmaller is a pod that asks YuniKorn for more than the placeholders of its task group hold: YuniKorn releases these instead of
// putting the pod in their place, and says so in an event of the pod or of a placeholder (tryPlaceholderAllocate in pkg/scheduler/objects/
// application.go of apache/yunikorn-core@v1.8.0; PublishEvents in pkg/cache/context.go of apache/yunikorn-k8shim). A pod that waits for a
// node has the same condition, and no such event.
type PlaceholdersSmaller struct {
	Waiting

	Group    string
	Resource corev1.ResourceName
	Holds    resource.Quantity // one placeholder, by the annotation of the driver
	Asks     resource.Quantity // the pod
	// Uncounted is the part of Spark's memory that is the difference (kubeflow/spark-operator#2176, #2209); empty: none is as large.
	Uncounted app.MemoryUse
}

// Mechanism returns its ID.
func (PlaceholdersSmaller) Mechanism() cause.ID { return "placeholders-smaller" }

func (d PlaceholdersSmaller) alike(string) waitingDetail {
	d.Waiting = d.since()
	return d
}

// taskGroup is the annotation by which a pod says which one it is of (pkg/common/constants/constants.go of apache/yunikorn-k8shim@v1.6.0).
const taskGroup = "yunikorn.apache.org/task-group-name"

func placeholdersSmaller(w *waiter) (cause.Cause, bool) {
	group := w.pod.Annotations[taskGroup]
	if group == "" || w.Driver == nil || w.pod.Spec.NodeName != "" {
		return cause.Cause{}, false
	}
	said := w.releases(group)
	if said == nil {
		return cause.Cause{}, false
	}
	asks, gang := helpers.PodRequests(w.pod, helpers.PodResourcesOptions{}), app.GangOf(w.Driver)
	for _, part := range gang.Parts {
		if part.Name != group {
			continue
		}
		for _, name := range sortedNames(part.Each) {
			holds, want := part.Each[name], asks[name]
			if want.Cmp(holds) <= 0 {
				continue
			}
			d := PlaceholdersSmaller{Waiting: w.Waiting, Group: group, Resource: name, Holds: holds, Asks: want}
			if name == corev1.ResourceMemory {
				d.Uncounted = partOf(w.Spec.Memory(app.RoleOf(w.pod)), (want.Value()-holds.Value())>>20)
			}
			c := w.cause(cause.Scheduling, cause.ByEvent, d, cause.Proof{Object: said.Involved, Field: "event " + said.Reason,
				Value: said.Message, At: said.Last}, cause.Proof{Object: Ref(w.Driver), Field: "metadata.annotations[yunikorn.apache.org/task-groups]",
				Value: w.Driver.Annotations["yunikorn.apache.org/task-groups"]})
			c.Topics = ofMemory(namesMemory(string(name)))
			return c, true
		}
	}
	return cause.Cause{}, false
}

// releases is the last event in which YuniKorn says that a pod of a task group is larger than its placeholders; nil: none does.
func (w *waiter) releases(group string) *app.Event {
	for i := len(w.Events) - 1; i >= 0; i-- {
		e := &w.Events[i]
		of, larger := strings.CutPrefix(e.Message, "Task group '")
		if of, _, _ = strings.Cut(of, "'"); larger && of == group && e.Involved.Kind == "Pod" &&
			strings.Contains(e.Message, "are not matching placeholder") {
			return e
		}
	}
	return nil
}

// partOf is the part of a sum that is as large as a difference.
func partOf(sum app.MemorySum, mebi int64) app.MemoryUse {
	for _, part := range sum.Parts {
		if part.Of != app.HeapMemory && part.Of != app.OverheadMemory && !part.Uncounted && part.MiB == mebi {
			return part.Of
		}
	}
	return ""
}
