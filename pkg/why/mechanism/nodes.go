package mechanism

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	"k8s.io/klog/v2"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// labelled is which values the nodes have of the labels that a pod selects by.
func labelled(v *View, p *corev1.Pod) []NodeLabel {
	var out []NodeLabel
	for key := range p.Spec.NodeSelector {
		count := map[string]int{}
		for i := range v.Nodes {
			if value := v.Nodes[i].Labels[key]; value != "" {
				count[value]++
			}
		}
		for value, n := range count {
			if value != p.Spec.NodeSelector[key] && len(count) <= 5 {
				out = append(out, NodeLabel{Key: key, Value: value, Nodes: n})
			}
		}
	}
	slices.SortFunc(out, func(a, b NodeLabel) int {
		return cmp.Or(strings.Compare(strconv.Itoa(a.Nodes), strconv.Itoa(b.Nodes)), strings.Compare(a.Key, b.Key),
			strings.Compare(a.Value, b.Value))
	})
	return out
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

// selectedBy is the setting by which the spec selects nodes for a pod, where it is one (docs/running-on-kubernetes.md@v3.5.5,
// spark.kubernetes.executor.node.selector.[labelKey]).
func selectedBy(w *waiter) string {
	for _, key := range slices.Sorted(maps.Keys(w.pod.Spec.NodeSelector)) {
		for _, before := range []string{"spark.kubernetes." + string(w.Who.Role) + ".node.selector.", "spark.kubernetes.node.selector."} {
			if value, set := w.Spec.Conf[before+key]; set && value == w.pod.Spec.NodeSelector[key] {
				return before + key
			}
		}
	}
	return ""
}

// taints are those of the nodes that a pod does not tolerate.
func taints(nodes []*corev1.Node, p *corev1.Pod) []string {
	seen := map[string]bool{}
	for _, n := range nodes {
		for _, t := range taintsOf(n) {
			tolerated := slices.ContainsFunc(p.Spec.Tolerations, func(o corev1.Toleration) bool {
				return o.ToleratesTaint(klog.Background(), &t, false)
			})
			if !tolerated && t.Effect != corev1.TaintEffectPreferNoSchedule && !ofCordon(t) {
				seen[t.ToString()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Architecture is that of a node; empty: the node was not seen.
func (v *View) Architecture(name string) (snapshot.Ref, string) {
	n := v.Node(name)
	if n == nil {
		return snapshot.Ref{}, ""
	}
	return nodeRef(n), cmp.Or(n.Labels[corev1.LabelArchStable], n.Status.NodeInfo.Architecture)
}

// schedulingEvidence is what the scheduler compares with nodes.
func schedulingEvidence(p *corev1.Pod) []cause.Proof {
	var out []cause.Proof
	requests := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	var words []string
	for _, name := range sortedNames(requests) {
		q := requests[name]
		words = append(words, string(name)+" "+q.String())
	}
	add := func(field, value string) {
		if value != "" {
			out = append(out, cause.Proof{Object: Ref(p), Field: field, Value: value})
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
