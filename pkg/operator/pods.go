package operator

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Deployments returns the controller and the webhook, once if they are one.
func (in *Installation) Deployments() []*snapshot.Deployment {
	var out []*snapshot.Deployment
	for _, d := range []*snapshot.Deployment{in.Controller, in.Webhook} {
		if d != nil && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// PodsOf returns the pods of one of the installation's Deployments that are not about to go.
func PodsOf(d *snapshot.Deployment, pods []snapshot.OperatorPod) []*snapshot.OperatorPod {
	var out []*snapshot.OperatorPod
	for i := range pods {
		if p := &pods[i]; len(d.Selector) > 0 && p.Namespace == d.Namespace && !p.Terminating() && selects(d.Selector, p.Labels) {
			out = append(out, p)
		}
	}
	return out
}

// PodSelectors returns the fewest selectors that take the pods of controller and webhook: the charts tell them apart by one
// label (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2), so one that takes both values of it is enough.
func (in *Installation) PodSelectors() []labels.Selector {
	var sets []map[string]string
	for _, d := range in.Deployments() {
		if len(d.Selector) > 0 {
			sets = append(sets, d.Selector)
		}
	}
	if len(sets) == 2 {
		if joined, ok := join(sets[0], sets[1]); ok {
			return []labels.Selector{joined}
		}
	}
	out := make([]labels.Selector, 0, len(sets))
	for _, set := range sets {
		out = append(out, labels.SelectorFromSet(set))
	}
	return out
}

// join makes one selector of two that ask for the same labels, at least one of them with the same value: else it would
// take any pod.
func join(a, b map[string]string) (labels.Selector, bool) {
	keys := slices.Sorted(maps.Keys(a))
	if len(keys) < 2 || !slices.Equal(keys, slices.Sorted(maps.Keys(b))) {
		return nil, false
	}
	out, same := labels.NewSelector(), 0
	for _, key := range keys {
		values := []string{a[key]}
		if a[key] == b[key] {
			same++
		} else {
			values = append(values, b[key])
		}
		r, err := labels.NewRequirement(key, selection.In, values)
		if err != nil {
			return nil, false
		}
		out = out.Add(*r)
	}
	return out, same > 0
}
