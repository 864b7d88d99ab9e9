package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// QueueFull is a pod that a batch scheduler holds back because its queue has used up its quota. It looks like one for which there is no
// room on nodes; YuniKorn and Volcano say of which queue they speak (apache/yunikorn-core pkg/scheduler/objects/events.go@v1.6.0, volcano
// pkg/scheduler/plugins/capacity/capacity.go@v1.12.0).
type QueueFull struct {
	Waiting

	Said  string // by the batch scheduler
	Queue string // by the pod's label, where that does not name it
	Unfit *Unfit // what the scheduler says of nodes; nil: it says nothing of the pod
	Room  QueueRoom
}

// Mechanism returns its ID.
func (QueueFull) Mechanism() cause.ID { return "queue-full" }

func (d QueueFull) alike(pod string) waitingDetail {
	return QueueFull{Waiting: d.since(), Said: without(pod, d.Said), Queue: d.Queue, Room: d.Room}
}

func queueFull(w *waiter) (cause.Cause, bool) {
	said, queue, full := queueSays(w)
	if !full || w.pod.Spec.NodeName != "" || isTrue(condition(w.pod, corev1.PodScheduled)) {
		return cause.Cause{}, false
	}
	var evidence []cause.Proof
	for _, e := range w.eventsOn("Pod", w.pod.Name) {
		evidence = append(evidence, cause.Proof{Object: Ref(w.pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last})
	}
	room, proofs := queueRoom(w.View)
	evidence = append(evidence, proofs...)
	c := w.cause(cause.Quota, cause.ByEvent, QueueFull{Waiting: w.Waiting, Said: said, Queue: queue, Room: room}, append(evidence,
		schedulingEvidence(w.pod)...)...)
	c.Topics = ofMemory(namesMemory(said))
	return c, true
}

// queueSays is what a batch scheduler says of a queue that is full, and the queue where that does not name it.
func queueSays(w *waiter) (said, queue string, full bool) {
	var texts []string
	for _, e := range w.Events {
		ofPod := e.Involved.Kind == "Pod" && e.Involved.Name == w.pod.Name
		if ofPod || e.Involved.Kind == "PodGroup" {
			texts = append(texts, e.Message)
		}
	}
	if w.refused != nil {
		texts = append(texts, w.says.Text)
	}
	for _, text := range texts {
		lower := strings.ToLower(text)
		switch {
		case strings.Contains(lower, "does not fit in queue"), strings.Contains(lower, "queue resource quota insufficient"):
			return text, "", true // names the queue and its numbers
		case full:
		case strings.Contains(lower, "queue quota"), strings.Contains(lower, "exceed") && strings.Contains(lower, "queue"):
			said, full = text, true
		}
	}
	if label := w.pod.Labels["queue"]; full && !strings.Contains(said, label) {
		queue = label
	}
	return said, queue, full
}
