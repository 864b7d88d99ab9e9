package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unschedulable is a pod that no node can take, by what the scheduler says. Pods that wait for a volume, for a node that is on its way or
// for their queue have the same condition: what it says in its message, and events, tell them apart.
type Unschedulable struct {
	Waiting
	Unfit
}

// Mechanism returns its ID.
func (Unschedulable) Mechanism() cause.ID { return "unschedulable" }

func (d Unschedulable) alike(pod string) waitingDetail {
	return Unschedulable{Waiting: d.since(), Unfit: d.Unfit.alike(pod)}
}

// Unfit is what keeps a pod from nodes.
type Unfit struct {
	Placement // by the scheduler

	Room     Room   // as computed from the nodes that were seen
	NoNode   bool   // an autoscaler could not add one
	OfNoNode string // what it says of that
	Capped   Capped // the autoscaler may add no more; zero: it does not say so
	// SelectedBy is the setting of Spark by which the pod selects nodes; empty: fields of the spec or a template do.
	SelectedBy string
	Group      Group // for all of which a batch scheduler wants room at once; zero: there is none
}

func (u Unfit) alike(pod string) Unfit {
	u.Placement, u.OfNoNode = u.Placement.alike(pod), without(pod, u.OfNoNode)
	u.Text = ""         // beside what is said of nodes
	u.Capped = Capped{} // events expire, and not each pod has one
	return u
}

// Group is a PodGroup of a batch scheduler.
type Group struct {
	Ref   snapshot.Ref
	Wants string // spec.minResources, such as "cpu=8, memory=16Gi"; empty: not set
}

// Complaint is what a scheduler says of nodes first of all, by what can be done about it.
type Complaint string

// The complaints, from the words of the plugins (kubernetes pkg/scheduler/framework/plugins@v1.36.3).
const (
	OtherComplaint Complaint = ""
	PortTaken      Complaint = "port"
	DiskShort      Complaint = "ephemeral-storage"
	RoomShort      Complaint = "resources"
	VolumesMost    Complaint = "volumes"
	PodsRepel      Complaint = "anti-affinity"
	SpreadUnmet    Complaint = "spread"
	AllCordoned    Complaint = "cordoned"
	LabelsDiffer   Complaint = "labels"
	Untolerated    Complaint = "taint"
	Reserved       Complaint = "reserved" // taints that keep nodes for the cluster itself
)

func complaint(message string) Complaint {
	for _, one := range []struct {
		said string
		is   Complaint
	}{
		{"free ports", PortTaken}, {"Insufficient ephemeral-storage", DiskShort}, {"Insufficient", RoomShort},
		{"exceed max volume count", VolumesMost}, {"anti-affinity", PodsRepel}, {"topology spread", SpreadUnmet},
		{"were unschedulable", AllCordoned}, {"affinity", LabelsDiffer}, {"selector", LabelsDiffer}, {"taint", Untolerated},
	} {
		if strings.Contains(message, one.said) {
			return one.is
		}
	}
	return OtherComplaint
}

func unschedulable(w *waiter) (cause.Cause, bool) {
	if w.refused == nil {
		return cause.Cause{}, false
	}
	unfit, evidence := unfitting(w)
	if said, queue, full := queueSays(w); full {
		room, proofs := queueRoom(w.View)
		c := w.cause(cause.Quota, cause.ByPod, QueueFull{Waiting: w.Waiting, Said: said, Queue: queue, Unfit: &unfit, Room: room},
			append(evidence, proofs...)...)
		c.Topics = ofMemory(namesMemory(said))
		return c, true
	}
	c := w.cause(cause.Scheduling, cause.ByPod, Unschedulable{Waiting: w.Waiting, Unfit: unfit}, evidence...)
	c.Topics = ofMemory(unfit.Room.memory() || namesMemory(unfit.Said) || namesMemory(unfit.OfNoNode) || namesMemory(unfit.Group.Wants))
	return c, true
}

// unfitting is what keeps the pod from nodes, and what shows that.
func unfitting(w *waiter) (Unfit, []cause.Proof) {
	out, evidence := Unfit{Placement: w.says}, w.byScheduler()
	room, proofs := arithmetic(w.View, w.pod, w.says.Nodes)
	out.Room = room
	if out.Complaint == LabelsDiffer && room.None && room.Untolerated > 0 && len(room.Short) == 0 {
		out.Complaint = Untolerated // nodes have the labels: it is their taints that keep it off
	}
	if out.Complaint == Untolerated && (room.reserved() || w.says.reserved()) {
		out.Complaint = Reserved
	}
	out.SelectedBy = selectedBy(w)
	evidence = append(append(evidence, proofs...), schedulingEvidence(w.pod)...)
	if fails := scaleUpFails(w.View, w.pod); fails != nil {
		out.NoNode, out.OfNoNode = true, fails.Message
		if fails.Reason == "FailedScaleUp" {
			evidence = append(evidence, cause.Proof{Object: Ref(w.pod), Field: "event " + fails.Reason, Value: fails.Message, At: fails.Last})
		}
	}
	capped, proofs := cappedFor(w)
	out.Capped, evidence = capped, append(evidence, proofs...)
	group, proofs := gang(w.View, w.says.Gang)
	out.Group = group
	return out, append(evidence, proofs...)
}

// gang is the group for all of which a batch scheduler wants to have room at once.
func gang(v *View, wanted bool) (Group, []cause.Proof) {
	if !wanted {
		return Group{}, nil
	}
	for i := range v.Queued {
		q := &v.Queued[i]
		if q.Kind != "PodGroup" {
			continue
		}
		out := Group{Ref: q.Ref, Wants: q.Wants}
		var proofs []cause.Proof
		for _, asks := range q.Asks {
			proofs = append(proofs, cause.Proof{Object: out.Ref, Field: asks.Path, Value: asks.Value})
		}
		for _, e := range v.eventsOn("PodGroup", q.Name) {
			proofs = append(proofs, cause.Proof{Object: out.Ref, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
		return out, proofs
	}
	return Group{}, nil
}
