package objects

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

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
	var untolerated, unlabelled, small int
	wants := nodeaffinity.GetRequiredNodeAffinity(p)
	var eligible []*corev1.Node
	for i := range v.Nodes {
		n := &v.Nodes[i]
		if matches, err := wants.Match(n); err != nil || !matches {
			unlabelled++
			continue
		}
		hard := func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }
		if _, tainted := scheduling.FindMatchingUntoleratedTaint(klog.Background(), n.Spec.Taints, p.Spec.Tolerations, hard, false); tainted {
			untolerated++
			continue
		}
		eligible = append(eligible, n)
	}
	total := len(v.Nodes)
	var parts []string
	if unlabelled > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s label %s", unlabelled, total, lacking(unlabelled), selectorText(p))+v.labelled(p))
	}
	if untolerated > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d have a taint that it does not tolerate (%s)", untolerated, total, v.taints(p)))
	}
	out := fit{}
	asks := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		want := asks[name]
		if want.IsZero() || len(eligible) == 0 {
			continue
		}
		best, where := v.largest(eligible, name)
		if best.Cmp(want) >= 0 {
			continue
		}
		small++
		parts = append(parts, fmt.Sprintf("it asks for %s of %s, and the largest %s is %s on %s", amount(want, name), nameOf(name),
			v.roomWord(where),
			amount(best, name), where))
		out.proofs = append(out.proofs, cause.Proof{Object: nodeRef(v.node(where)), Field: v.roomField(where, name), Value: amount(best, name)})
	}
	if len(parts) == 0 {
		return fit{}
	}
	out.text = strings.Join(parts, "; ")
	if len(eligible) == 0 || small > 0 {
		out.text = "it fits on none of " + strconv.Itoa(total) + " nodes: " + out.text
	}
	return out
}

// labelled is which values the nodes have of the labels that a pod selects by.
func (v *View) labelled(p *corev1.Pod) string {
	var parts []string
	for key := range p.Spec.NodeSelector {
		count := map[string]int{}
		for i := range v.Nodes {
			if value := v.Nodes[i].Labels[key]; value != "" {
				count[value]++
			}
		}
		for value, n := range count {
			if value != p.Spec.NodeSelector[key] && len(count) <= 5 {
				parts = append(parts, fmt.Sprintf("%d %s=%s", n, key, value))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return " (nodes have: " + strings.Join(parts, ", ") + ")"
}

// nodesSaid is how many nodes the scheduler spoke of: "0/3 nodes are available".
func (v *View) nodesSaid(p *corev1.Pod) int {
	if s := condition(p, corev1.PodScheduled); s != nil {
		if _, rest, found := strings.Cut(s.Message, "0/"); found {
			number, _, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(number)
			if err == nil {
				return n
			}
		}
	}
	return 0
}

func lacking(n int) string {
	if n == 1 {
		return "lacks"
	}
	return "lack"
}

func selectorText(p *corev1.Pod) string {
	var out []string
	for k, value := range p.Spec.NodeSelector {
		out = append(out, k+"="+value)
	}
	slices.Sort(out)
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Key, e.Operator, strings.Join(e.Values, ","))))
			}
		}
	}
	return strings.Join(out, ", ")
}

func (v *View) taints(p *corev1.Pod) string {
	seen := map[string]bool{}
	for i := range v.Nodes {
		for _, t := range v.Nodes[i].Spec.Taints {
			tolerated := slices.ContainsFunc(p.Spec.Tolerations, func(o corev1.Toleration) bool {
				return o.ToleratesTaint(klog.Background(), &t, false)
			})
			if !tolerated && t.Effect != corev1.TaintEffectPreferNoSchedule {
				seen[t.ToString()] = true
			}
		}
	}
	out := make([]string, 0, len(seen))
	for t := range seen {
		out = append(out, t)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// largest is the most of a resource that one of these nodes has free. Of a node whose pods were not all read, what is allocatable is taken,
// which is never less.
func (v *View) largest(nodes []*corev1.Node, name corev1.ResourceName) (resource.Quantity, string) {
	free := func(n *corev1.Node) resource.Quantity {
		q := n.Status.Allocatable[name].DeepCopy()
		if !v.Counted[n.Name] {
			return q
		}
		for _, list := range [][]corev1.Pod{v.Neighbors, v.Pods} {
			for i := range list {
				p := &list[i]
				if p.Spec.NodeName == n.Name && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed {
					q.Sub(helpers.PodRequests(p, helpers.PodResourcesOptions{})[name])
				}
			}
		}
		return q
	}
	best := slices.MaxFunc(nodes, func(a, b *corev1.Node) int {
		x, y := free(a), free(b)
		return cmp.Or(x.Cmp(y), cmp.Compare(b.Name, a.Name))
	})
	return free(best), best.Name
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

func nameOf(name corev1.ResourceName) string {
	if name == corev1.ResourceCPU {
		return "CPU"
	}
	return string(name)
}

func amount(q resource.Quantity, name corev1.ResourceName) string {
	if name == corev1.ResourceCPU {
		return strconv.FormatFloat(float64(q.MilliValue())/1000, 'f', -1, 64)
	}
	return strconv.FormatFloat(float64(q.Value())/(1<<30), 'f', 1, 64) + " GiB"
}

// Architecture is that of a node; empty: the node was not seen.
func (v *View) Architecture(name string) (snapshot.Ref, string) {
	n := v.node(name)
	if n == nil {
		return snapshot.Ref{}, ""
	}
	return nodeRef(n), cmp.Or(n.Labels[corev1.LabelArchStable], n.Status.NodeInfo.Architecture)
}

// asksFor is what the scheduler compares with nodes.
func asksFor(p *corev1.Pod) []cause.Proof {
	var out []cause.Proof
	requests := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	var words []string
	for _, name := range sortedNames(requests) {
		q := requests[name]
		words = append(words, string(name)+" "+q.String())
	}
	add := func(field, value string) {
		if value != "" {
			out = append(out, cause.Proof{Object: podRef(p), Field: field, Value: value})
		}
	}
	add("spec.containers[*].resources.requests", strings.Join(words, ", "))
	add("spec.nodeSelector and affinity", selectorText(p))
	words = nil
	for _, t := range p.Spec.Tolerations {
		if !strings.HasPrefix(t.Key, "node.kubernetes.io/") {
			words = append(words, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", t.Key, t.Operator, t.Value, t.Effect)))
		}
	}
	add("spec.tolerations", strings.Join(words, ", "))
	return out
}
