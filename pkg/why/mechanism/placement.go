package mechanism

import (
	"strconv"
	"strings"
)

// Placement is what a scheduler says of a pod that it did not place, in the pod's condition PodScheduled. It is read here only.
type Placement struct {
	Text      string        // all of it
	Said      string        // of nodes, without what it says of preemption and resource claims
	Nodes     int           // of how many nodes it speaks; 0: it does not say
	Refusals  []NodeRefusal // in the grammar of kube-scheduler; nil: it has another
	Complaint Complaint
	Claim     string // that does not exist; empty: it names none
	Gang      bool   // there must be room for a whole group at once

	WantsVolume, WantsFree bool // a volume, or one that no claim is bound to yet
}

// NodeRefusal is one reason why nodes do not take a pod.
type NodeRefusal struct {
	Nodes int
	Why   string    // as it says it, to be shown
	Is    Complaint // what can be done about it
	Lacks string    // the resource of which they have too little free; empty: they have that
	Taint string    // the key of the taint that it names; empty: it is another reason
	Room  bool      // they lack nothing but room, which other pods may leave
	// NoVolume says that no volume is there that the pod's claim could be bound to.
	NoVolume bool
}

// alike is what it says of other pods, too.
func (p Placement) alike(pod string) Placement {
	return Placement{Text: without(pod, p.Text), Said: without(pod, p.Said), Complaint: p.Complaint}
}

// noVolume is what the scheduler says when a claim that is bound with its pod finds no volume, and none can be provisioned
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: ErrReasonBindConflict).
const noVolume = "didn't find available persistent volumes to bind"

// volumesNotBound is what the scheduler says when it chose a node, and a claim of the pod was not bound in time
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: BindPodVolumes, bindTimeoutSeconds).
const volumesNotBound = "binding volumes: "

// placement reads the message. What kube-scheduler says of nodes begins with their number, and gives each reason with how many have it:
// "0/5 nodes are available: 2 Insufficient memory, 3 node(s) had …" (kubernetes@v1.36.3 pkg/scheduler/framework/types.go, FitError). Others
// have a grammar of their own: "3/4 tasks in gang unschedulable: pod group is not ready, 1 Pending, 4 minAvailable", "all nodes are
// unavailable: …" (volcano-sh/volcano docs/design/scheduling-reason.md).
func placement(message string) Placement {
	lower := strings.ToLower(message)
	p := Placement{Text: message, Complaint: complaint(message),
		Gang: strings.Contains(message, "gang") || strings.Contains(lower, "pod group")}
	p.Said, _, _ = strings.Cut(message, " preemption:")
	p.Said, _, _ = strings.Cut(p.Said, " no new claims to deallocate")
	if before, rest, counts := strings.Cut(message, "0/"); counts {
		number, rest, _ := strings.Cut(rest, " ")
		p.Nodes, _ = strconv.Atoi(number)
		if list, fits := strings.CutPrefix(rest, "nodes are available: "); fits && before == "" {
			p.Refusals = nodeRefusals(list)
		}
	}
	if gone := absentIn(message); gone.Kind == "PersistentVolumeClaim" {
		p.Claim = gone.Name
	}
	p.WantsFree = strings.Contains(message, noVolume) && !strings.Contains(message, "Insufficient")
	p.WantsVolume = strings.Contains(lower, "persistentvolumeclaim") || strings.Contains(lower, "volume node affinity conflict") ||
		strings.Contains(message, volumesNotBound) || p.noneHasVolume()
	return p
}

// nodeRefusals reads the reasons, up to what preemption would bring, and claims.
func nodeRefusals(list string) []NodeRefusal {
	list, _, _ = strings.Cut(list, ". ")
	out := []NodeRefusal{}
	for _, one := range strings.Split(strings.TrimRight(list, ". "), ", ") {
		why := strings.TrimLeft(one, "0123456789 ")
		n, _ := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(one, why)))
		why = strings.TrimPrefix(strings.TrimPrefix(why, "node(s) "), "had ")
		if why != "" {
			out = append(out, nodeRefusal(n, why))
		}
	}
	return out
}

// nodeRefusal reads one reason. Taints: "had untolerated taint {KEY: VALUE}" (pkg/scheduler/framework/plugins/tainttoleration/
// taint_toleration.go of kubernetes@v1.36.3).
func nodeRefusal(nodes int, why string) NodeRefusal {
	out := NodeRefusal{Nodes: nodes, Why: why, Is: complaint(why), NoVolume: strings.HasPrefix(why, noVolume)}
	out.Lacks, out.Room = strings.CutPrefix(why, "Insufficient ")
	if !out.Room {
		out.Lacks = ""
	}
	out.Room = out.Room || why == "Too many pods" || strings.Contains(why, "free ports")
	_, key, _ := strings.Cut(why, "taint {")
	out.Taint, _, _ = strings.Cut(key, ":")
	return out
}

// nodes is how many nodes have reasons of a kind.
func (p *Placement) nodes(of Complaint) (n int) {
	for i := range p.Refusals {
		if p.Refusals[i].Is == of {
			n += p.Refusals[i].Nodes
		}
	}
	return n
}

// Beyond are the reasons of nodes that labels, taints, a cordon and room do not keep the pod from: there it could run but for these. A
// scheduler asks for a node's taints and labels first, and names of each node only what it asked last (the order of filters in
// pkg/scheduler/apis/config/v1/default_plugins.go of kubernetes@v1.36.3).
func (p *Placement) Beyond() []NodeRefusal {
	var out []NodeRefusal
	for i := range p.Refusals {
		switch p.Refusals[i].Is {
		case PortTaken, VolumesMost, PodsRepel, SpreadUnmet:
			out = append(out, p.Refusals[i])
		}
	}
	return out
}

// noneHasVolume reports whether all nodes have that one reason.
func (p *Placement) noneHasVolume() bool {
	return len(p.Refusals) > 0 && p.Refusals[0].Nodes == p.Nodes && p.Refusals[0].NoVolume
}
