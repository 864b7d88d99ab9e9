package mechanism

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Room is why a pod fits on no node, or on few, as the scheduler computes it. Zero: nothing was computed, or nothing is in the way.
type Room struct {
	Nodes       int         // that were seen
	Of          int         // nodes of which the scheduler speaks, where not all of them were seen; 0: they were
	None        bool        // it fits on none of them
	Unlabelled  int         // nodes that lack the labels that it selects by
	Selector    string      // its node selector and affinity
	Labels      []NodeLabel // what nodes have instead
	Cordoned    int
	Untolerated int
	Taints      []string // that it does not tolerate: key=value:effect
	Short       []Shortfall
}

// NodeLabel is a label, and how many nodes have it.
type NodeLabel struct {
	Key, Value string
	Nodes      int
}

// Shortfall is a resource of which nodes that would take the pod otherwise have not enough.
type Shortfall struct {
	Resource   corev1.ResourceName
	Asks, Most resource.Quantity // what the pod asks for, and the most that one of these nodes has
	Node       string            // which one that is
	Counted    bool              // Most is what is free there; else what is allocatable, because other pods on it were not seen
	Lack, Of   int               // how many nodes lack it, of those that would take the pod otherwise
	Read       int               // of how many of them the pods were read, where others may have room; 0: none has
}

func (r *Room) memory() bool {
	return slices.ContainsFunc(r.Short, func(s Shortfall) bool { return s.Resource == corev1.ResourceMemory }) ||
		slices.ContainsFunc(r.Taints, namesMemory) || namesMemory(r.Selector)
}

// arithmetic computes what the scheduler does for labels, taints, and requests, with its own functions. Of pod affinity, spread, volumes
// and ports it knows nothing: there the scheduler's words stand. said is of how many nodes it speaks.
func arithmetic(v *View, p *corev1.Pod, said int) (Room, []cause.Proof) {
	if len(v.Nodes) == 0 {
		return Room{}, nil
	}
	out, eligible := placing(v, p)
	short, none := tooSmall(v, p, eligible)
	switch {
	case v.isPartial("nodes") && len(v.Nodes) < said:
		if !none || len(eligible) < fewestSeen || !allocatableLacks(p, eligible) {
			return Room{}, nil // others may have room, or a label
		}
		out = Room{Nodes: len(v.Nodes), Of: said}
	case len(eligible) == len(v.Nodes) && len(short) == 0:
		return Room{}, nil
	}
	out.Short, out.None = short, len(eligible) == 0 || none
	return out, proofsOf(v, short)
}

// placing counts the nodes that a pod may not run on, by what keeps it from each first, and returns those that it may.
func placing(v *View, p *corev1.Pod) (out Room, eligible []*corev1.Node) {
	out.Nodes = len(v.Nodes)
	wants := nodeaffinity.GetRequiredNodeAffinity(p)
	var tainted []*corev1.Node
	for i := range v.Nodes {
		n := &v.Nodes[i]
		matches, err := wants.Match(n)
		switch {
		case err != nil || !matches:
			out.Unlabelled++
		case tolerates(p, n):
			eligible = append(eligible, n)
		case toleratesTaints(p, slices.DeleteFunc(taintsOf(n), ofCordon)):
			out.Cordoned++
		default:
			tainted = append(tainted, n)
		}
	}
	if out.Unlabelled > 0 {
		out.Selector, out.Labels = selectorText(p), labelled(v, p)
	}
	out.Untolerated, out.Taints = len(tainted), taints(tainted, p)
	return out, eligible
}

// proofsOf are the nodes that have the most of what is short, and how much that is.
func proofsOf(v *View, short []Shortfall) (proofs []cause.Proof) {
	for _, s := range short {
		if s.Node != "" {
			proofs = append(proofs, cause.Proof{Object: nodeRef(v.Node(s.Node)), Field: roomField(v, s.Node, s.Resource),
				Value: phrase.Amount(s.Most, s.Resource)})
		}
	}
	return proofs
}

// fewestSeen is of how many nodes, which would take a pod for labels and taints, it is said that none is large enough where others were not
// seen.
const fewestSeen = 2

// allocatableLacks reports whether a pod asks for more than any of these nodes has, whatever else runs there: what an autoscaler adds is
// usually like them.
func allocatableLacks(p *corev1.Pod, nodes []*corev1.Node) bool {
	asks := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	return !slices.ContainsFunc(nodes, func(n *corev1.Node) bool {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			has, want := n.Status.Allocatable[name], asks[name]
			if has.Cmp(want) < 0 {
				return false
			}
		}
		return true
	})
}

// tolerates reports whether a pod may run on a node for its taints, and for a cordon (kubernetes pkg/scheduler/framework/plugins/
// {tainttoleration,nodeunschedulable}@v1.36.3).
func tolerates(p *corev1.Pod, n *corev1.Node) bool { return toleratesTaints(p, taintsOf(n)) }

func toleratesTaints(p *corev1.Pod, taints []corev1.Taint) bool {
	hard := func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }
	_, tainted := scheduling.FindMatchingUntoleratedTaint(klog.Background(), taints, p.Spec.Tolerations, hard, false)
	return !tainted
}

// ofCordon is the taint that the controller of nodes puts on one that is cordoned (pkg/controller/nodelifecycle of kubernetes@v1.36.3).
func ofCordon(t corev1.Taint) bool { return t.Key == corev1.TaintNodeUnschedulable }

func taintsOf(n *corev1.Node) []corev1.Taint {
	if !n.Spec.Unschedulable {
		return slices.Clone(n.Spec.Taints)
	}
	return append(slices.Clone(n.Spec.Taints), corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
}

// tooSmall is what these nodes lack, and whether that holds for all of them. It is nothing if a node has room: then something else
// keeps the pod from it.
func tooSmall(v *View, p *corev1.Pod, nodes []*corev1.Node) (out []Shortfall, none bool) {
	asks := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	asks[corev1.ResourcePods] = resource.MustParse("1")
	lack := map[corev1.ResourceName][]*corev1.Node{}
	for _, n := range nodes {
		fits := true
		for name, want := range asks {
			// Without allocatable resources nothing is known of its room.
			if free := free(v, n, name); !want.IsZero() && free.Cmp(want) < 0 && len(n.Status.Allocatable) > 0 {
				lack[name] = append(lack[name], n)
				fits = false
			}
		}
		if fits {
			return lookedAt(v, asks, nodes), false
		}
	}
	for _, name := range sortedNames(asks) {
		short := lack[name]
		if len(short) == 0 {
			continue
		}
		one := Shortfall{Resource: name, Asks: asks[name], Lack: len(short), Of: len(nodes)}
		if name != corev1.ResourcePods {
			one.Most, one.Node = largest(v, short, name)
			one.Counted = v.Counted[one.Node]
		}
		out = append(out, one)
	}
	return out, len(out) > 0
}

// lookedAt is what the nodes lack whose pods were read, where others may have room.
func lookedAt(v *View, asks corev1.ResourceList, nodes []*corev1.Node) []Shortfall {
	known := slices.DeleteFunc(slices.Clone(nodes), func(n *corev1.Node) bool { return !v.Counted[n.Name] })
	if len(known) == 0 || len(known) == len(nodes) {
		return nil
	}
	var out []Shortfall
	for _, name := range sortedNames(asks) {
		want := asks[name]
		best, where := largest(v, known, name)
		if want.IsZero() || best.Cmp(want) >= 0 {
			continue
		}
		out = append(out, Shortfall{Resource: name, Asks: want, Most: best, Node: where, Counted: true, Lack: len(known), Of: len(nodes),
			Read: len(known)})
	}
	return out
}

// free is what a node has free of a resource. Of one whose pods were not all read it is what is allocatable, which is never less.
func free(v *View, n *corev1.Node, name corev1.ResourceName) resource.Quantity {
	q := n.Status.Allocatable[name].DeepCopy()
	if _, told := n.Status.Allocatable[name]; !told && name == corev1.ResourcePods {
		return resource.MustParse("1") // nothing is known
	}
	if !v.Counted[n.Name] {
		return q
	}
	for _, list := range [][]corev1.Pod{v.Neighbors, v.Pods} {
		for i := range list {
			p := &list[i]
			if p.Spec.NodeName == n.Name && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed {
				q.Sub(counted(p, name))
			}
		}
	}
	return q
}

// largest is the most of a resource that one of these nodes has free.
func largest(v *View, nodes []*corev1.Node, name corev1.ResourceName) (resource.Quantity, string) {
	best := slices.MaxFunc(nodes, func(a, b *corev1.Node) int {
		x, y := free(v, a, name), free(v, b, name)
		return cmp.Or(x.Cmp(y), cmp.Compare(b.Name, a.Name))
	})
	return free(v, best, name), best.Name
}

func roomField(v *View, node string, name corev1.ResourceName) string {
	field := "status.allocatable[" + string(name) + "]"
	if v.Counted[node] {
		field += " less requests of its pods"
	}
	return field
}
