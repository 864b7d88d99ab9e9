package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// fit is whether a pod fits on the nodes that were seen, in numbers.
type fit struct {
	text   string
	proofs []cause.Proof
}

// arithmetic computes what the scheduler does for labels, taints, and requests, with its own functions. Of pod affinity, spread, volumes
// and ports it knows nothing: there the scheduler's words stand.
func (v *View) arithmetic(p *corev1.Pod) fit {
	if len(v.Nodes) == 0 || v.Partial != nil && v.Partial("nodes") && len(v.Nodes) < v.nodesSaid(p) {
		return fit{}
	}
	var untolerated, unlabelled, cordoned int
	wants := nodeaffinity.GetRequiredNodeAffinity(p)
	var eligible []*corev1.Node
	for i := range v.Nodes {
		n := &v.Nodes[i]
		matches, err := wants.Match(n)
		switch {
		case err != nil || !matches:
			unlabelled++
		case !tolerates(p, n) && toleratesTaints(p, slices.DeleteFunc(taintsOf(n), ofCordon)):
			cordoned++
		case !tolerates(p, n):
			untolerated++
		default:
			eligible = append(eligible, n)
		}
	}
	total := len(v.Nodes)
	out := fit{}
	var parts []string
	if unlabelled > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s label %s", unlabelled, total, lacking(unlabelled), selectorText(p))+v.labelled(p))
	}
	if cordoned > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s cordoned", cordoned, total, map[bool]string{true: "is", false: "are"}[cordoned == 1]))
	}
	if untolerated > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d have a taint that it does not tolerate (%s)", untolerated, total, v.taints(p)))
	}
	small, none := v.tooSmall(p, eligible)
	for _, one := range small {
		parts, out.proofs = append(parts, one.text), append(out.proofs, one.proofs...)
	}
	if len(parts) == 0 {
		return fit{}
	}
	out.text = strings.Join(parts, "; ")
	if len(eligible) == 0 || none {
		out.text = "it fits on none of " + strconv.Itoa(total) + " nodes: " + out.text
	}
	return out
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

// tooSmall says what these nodes lack, and whether that holds for all of them. Nothing is said if a node has room: then something else
// keeps the pod from it.
func (v *View) tooSmall(p *corev1.Pod, nodes []*corev1.Node) (out []fit, none bool) {
	asks := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	asks[corev1.ResourcePods] = resource.MustParse("1")
	lack := map[corev1.ResourceName][]*corev1.Node{}
	for _, n := range nodes {
		fits := true
		for name, want := range asks {
			// Without allocatable resources nothing is known of its room.
			if free := v.free(n, name); !want.IsZero() && free.Cmp(want) < 0 && len(n.Status.Allocatable) > 0 {
				lack[name] = append(lack[name], n)
				fits = false
			}
		}
		if fits {
			return v.lookedAt(asks, nodes), false
		}
	}
	for _, name := range sortedNames(asks) {
		short, want, of := lack[name], asks[name], ""
		switch {
		case len(short) == 0:
			continue
		case len(short) < len(nodes):
			of = fmt.Sprintf(" (%d of %d nodes lack it)", len(short), len(nodes))
		}
		if name == corev1.ResourcePods {
			out = append(out, fit{text: fmt.Sprintf("%d of %d nodes run as many pods as they may", len(short), len(nodes))})
			continue
		}
		best, where := v.largest(short, name)
		out = append(out, fit{
			text: fmt.Sprintf("it asks for %s %s, and the largest %s is %s on %s%s", amount(want, name), nameOf(name), v.roomWord(where),
				amount(best, name), where, of),
			proofs: []cause.Proof{{Object: nodeRef(v.node(where)), Field: v.roomField(where, name), Value: amount(best, name)}},
		})
	}
	return out, len(out) > 0
}

// lookedAt says what the nodes have free whose pods were read, where others may have room.
func (v *View) lookedAt(asks corev1.ResourceList, nodes []*corev1.Node) []fit {
	known := slices.DeleteFunc(slices.Clone(nodes), func(n *corev1.Node) bool { return !v.Counted[n.Name] })
	if len(known) == 0 || len(known) == len(nodes) {
		return nil
	}
	var out []fit
	for _, name := range sortedNames(asks) {
		want := asks[name]
		best, where := v.largest(known, name)
		if want.IsZero() || best.Cmp(want) >= 0 {
			continue
		}
		out = append(out, fit{
			text: fmt.Sprintf("it asks for %s %s, and the largest free amount of %s is %s on %s (the pods of %d more were not read)",
				amount(want, name), nameOf(name), facts.Counted(len(known), "node"), amount(best, name), where, len(nodes)-len(known)),
			proofs: []cause.Proof{{Object: nodeRef(v.node(where)), Field: v.roomField(where, name), Value: amount(best, name)}},
		})
	}
	return out
}

// free is what a node has free of a resource. Of one whose pods were not all read it is what is allocatable, which is never less.
func (v *View) free(n *corev1.Node, name corev1.ResourceName) resource.Quantity {
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
func (v *View) largest(nodes []*corev1.Node, name corev1.ResourceName) (resource.Quantity, string) {
	best := slices.MaxFunc(nodes, func(a, b *corev1.Node) int {
		x, y := v.free(a, name), v.free(b, name)
		return cmp.Or(x.Cmp(y), cmp.Compare(b.Name, a.Name))
	})
	return v.free(best, name), best.Name
}

func (v *View) roomWord(node string) string {
	if v.Counted[node] {
		return "free amount"
	}
	return "allocatable amount (other pods on the nodes were not seen)"
}

func (v *View) roomField(node string, name corev1.ResourceName) string {
	field := "status.allocatable[" + string(name) + "]"
	if v.Counted[node] {
		field += " less requests of its pods"
	}
	return field
}
