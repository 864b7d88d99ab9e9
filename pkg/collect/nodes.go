package collect

import (
	"cmp"
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// How many nodes are read for one application.
const (
	maxOwnNodes   = 20 // on which the application's pods are
	maxCandidates = 20 // of which the pods are read, for what is free there
)

func (r *reader) nodesOfPods() []string {
	var names []string
	for _, p := range r.failedFirst() {
		if node := whole.PodOf(p).NodeName; validSegment(node) && !slices.Contains(names, node) && len(names) < maxOwnNodes {
			names = append(names, node)
		}
	}
	return names
}

// aroundNodes reads the nodes of the pods, and, if a pod waits for one, all nodes and the pods on those that could take it.
func (r *reader) aroundNodes(ctx context.Context) {
	waits := slices.IndexFunc(r.pods, func(p *snapshot.Whole) bool {
		pod := whole.PodOf(p)
		return pod.NodeName == "" && pod.Phase == "Pending"
	})
	r.csiNodes(ctx, r.awaitingVolumes())
	if waits < 0 {
		for _, name := range r.nodesOfPods() {
			if r.get(ctx, snapshot.WholeNodes, name) == nil && r.refused(snapshot.WholeNodes) {
				return // the others would be, too
			}
		}
		r.saw(snapshot.WholeNodes, false) // of the others nothing is known
		return
	}
	found, more, err := r.list(ctx, snapshot.WholeNodes, wanted{most: fullNodes})
	r.add(snapshot.WholeNodes, found...)
	if err != nil {
		return
	}
	r.saw(snapshot.WholeNodes, !more, r.beyond(more, "nodes", fullNodes)...)
	could := candidates(found, r.pods[waits])
	if len(whole.PodOf(r.pods[waits]).Claims) > 0 {
		var names []string
		for _, node := range could {
			names = append(names, node.Name)
		}
		r.csiNodes(ctx, names)
	}
	for _, node := range could {
		if !r.neighbors(ctx, node.Name) {
			return
		}
	}
}

// awaitingVolumes are the nodes of pods that have not started, as far as these have claims.
func (r *reader) awaitingVolumes() []string {
	var names []string
	for _, p := range r.pods {
		pod := whole.PodOf(p)
		if pod.Phase == "Pending" && len(pod.Claims) > 0 && validSegment(pod.NodeName) && !slices.Contains(names, pod.NodeName) {
			names = append(names, pod.NodeName)
		}
	}
	return names[:min(len(names), maxOwnNodes)]
}

// csiNodes reads which drivers of volumes nodes have, and how many volumes these take.
func (r *reader) csiNodes(ctx context.Context, nodes []string) {
	for _, name := range nodes {
		if r.get(ctx, snapshot.WholeCSINodes, name) == nil && r.refused(snapshot.WholeCSINodes) {
			return // the others would be, too
		}
	}
	if len(nodes) > 0 {
		r.saw(snapshot.WholeCSINodes, false) // of the others nothing is known
	}
}

// candidates are the nodes that could take a pod, by the labels that it wants, the largest first.
func candidates(nodes []*snapshot.Whole, pod *snapshot.Whole) []*snapshot.Whole {
	want := whole.PodOf(pod).NodeSelector
	out := slices.DeleteFunc(slices.Clone(nodes), func(n *snapshot.Whole) bool {
		for name, value := range want {
			if whole.Label(n, name) != value {
				return true
			}
		}
		return whole.NodeOf(n).Unschedulable || !validSegment(n.Name)
	})
	slices.SortStableFunc(out, func(a, b *snapshot.Whole) int {
		return cmp.Or(compareRoom(b, a, "memory"), compareRoom(b, a, "cpu"), cmp.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), maxCandidates)]
}

func compareRoom(a, b *snapshot.Whole, name string) int {
	room := func(w *snapshot.Whole) quantity.Quantity {
		q, _ := quantity.ParseQuantity(whole.NodeOf(w).Allocatable[name])
		return q
	}
	x, y := room(a), room(b)
	return x.Cmp(y)
}

// neighbors reads the pods on a node. It reports whether it is worth to go on.
func (r *reader) neighbors(ctx context.Context, node string) bool {
	found, more, err := r.list(ctx, snapshot.WholeNeighbors, wanted{
		fields: "spec.nodeName=" + node + ",status.phase!=Succeeded,status.phase!=Failed", cached: true, most: fullPage,
	})
	for _, p := range found {
		if !r.has(snapshot.WholePods, p) {
			r.add(snapshot.WholeNeighbors, p)
		}
	}
	if err == nil && !more {
		r.saw(snapshot.WholeNeighbors, true)
		r.counted = append(r.counted, node)
	}
	return !apierrors.IsForbidden(err) && ctx.Err() == nil
}
