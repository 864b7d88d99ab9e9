package words

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// room is why pods fit on no node, or on few; empty: nothing was computed.
func room(w mechanism.Waiting, r *mechanism.Room) string {
	var parts []string
	if onlyTaints := r.None && len(r.Short) == 0 && r.Unlabelled > 0 && r.Cordoned == 0 && r.Untolerated > 0 && r.Of == 0; onlyTaints {
		return taintedOnes(r) // the others are not for it
	}
	if n := r.Unlabelled; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s label %s", n, r.Nodes, phrase.Verb(n, "lacks", "lack"), r.Selector)+labels(r.Labels))
	}
	if n := r.Cordoned; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s cordoned", n, r.Nodes, phrase.Verb(n, "is", "are")))
	}
	if n := r.Untolerated; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s a taint that it does not tolerate (%s)", n, r.Nodes, phrase.Verb(n, "has", "have"),
			strings.Join(r.Taints, ", ")))
	}
	short := make([]string, 0, len(r.Short))
	for i := range r.Short {
		short = append(short, shortage(w, &r.Short[i], r))
	}
	switch lacking := strings.Join(short, "; "); {
	case r.None && lacking != "": // how much is lacking says more than how many nodes are no choice
		return lacking + "; it fits on none of " + strings.Join(append([]string{nodesSeen(r)}, parts...), "; ")
	case r.None:
		return "it fits on none of " + nodesSeen(r) + ": " + strings.Join(parts, "; ")
	default:
		return strings.Join(append(parts, short...), "; ")
	}
}

// taintedOnes are the nodes that have the labels which a pod asks for, where taints keep it from all of them.
func taintedOnes(r *mechanism.Room) string {
	of := "the only node"
	if r.Untolerated > 1 {
		of = fmt.Sprintf("the %d of %d nodes", r.Untolerated, r.Nodes)
	}
	return fmt.Sprintf("%s with %s %s a taint that it does not tolerate (%s)", of, r.Selector, phrase.Verb(r.Untolerated, "has", "have"),
		strings.Join(r.Taints, ", "))
}

// nodesSeen are the nodes that were looked at: "9 nodes".
func nodesSeen(r *mechanism.Room) string {
	if r.Of > 0 {
		return fmt.Sprintf("the %s that were seen, of %d", phrase.Counted(r.Nodes, "node"), r.Of)
	}
	return strconv.Itoa(r.Nodes) + " nodes"
}

func labels(have []mechanism.NodeLabel) string {
	if len(have) == 0 {
		return ""
	}
	out := make([]string, 0, len(have))
	for _, l := range have {
		out = append(out, fmt.Sprintf("%d %s=%s", l.Nodes, l.Key, l.Value))
	}
	return " (nodes have: " + strings.Join(out, ", ") + ")"
}

func shortage(w mechanism.Waiting, s *mechanism.Shortfall, r *mechanism.Room) string {
	if s.Resource == corev1.ResourcePods && s.Read == 0 {
		return fmt.Sprintf("%d of %d nodes run as many pods as they may", s.Lack, s.Of)
	}
	name := string(s.Resource)
	if s.Resource == corev1.ResourceCPU {
		name = "CPU"
	}
	wants, most := asks(w)+phrase.Amount(s.Asks, s.Resource)+" "+name, phrase.Amount(s.Most, s.Resource)
	if s.Read > 0 {
		return fmt.Sprintf("%s, and the most that one of %s has free is %s on %s (the pods of %d more were not read)", wants,
			phrase.Counted(s.Read, "node"), most, s.Node, s.Of-s.Read)
	}
	kind := "allocatable"
	if s.Counted {
		kind = "free"
	}
	if s.Lack == s.Of && s.Of == r.Nodes && r.Of == 0 {
		return fmt.Sprintf("%s, and the most that a node has %s is %s on %s", wants, kind, most, s.Node)
	}
	return fmt.Sprintf("%s, and %s %s at most %s %s (%s)", wants, lacking(s, r), phrase.Verb(s.Lack, "has", "have"), most, kind, s.Node)
}

// lacking are the nodes of which a shortfall speaks: others may have more, and are not for the pod, or lack something else.
func lacking(s *mechanism.Shortfall, r *mechanism.Room) string {
	list := phrase.Counted(s.Of, "node")
	switch {
	case r.Of > 0:
		list += " for it that " + phrase.Verb(s.Of, "was", "were") + " seen"
	case s.Of == r.Nodes:
	case r.Unlabelled+r.Cordoned == 0:
		list += " that it tolerates"
	case r.Untolerated+r.Cordoned == 0:
		list += " with its labels"
	case r.Unlabelled+r.Untolerated == 0:
		list += " without a cordon"
	default:
		list += " for it"
	}
	if s.Lack < s.Of {
		return fmt.Sprintf("%d of the %s", s.Lack, list)
	}
	return "the " + list
}
