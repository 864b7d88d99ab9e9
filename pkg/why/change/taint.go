package change

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// taint is about nodes that would take a pod if it tolerated their taints.
func taint(v *mechanism.View, c *cause.Cause) []Change {
	pod := unplaced(v, c)
	if pod == nil {
		return nil
	}
	type group struct {
		taints []corev1.Taint
		nodes  int
	}
	groups, small := []group{}, false
	wants := nodeaffinity.GetRequiredNodeAffinity(pod)
	for i := range v.Nodes {
		n := &v.Nodes[i]
		if matches, err := wants.Match(n); err != nil || !matches || n.Spec.Unschedulable {
			continue
		}
		taints := untolerated(pod, n)
		fits := fitsOn(pod, n)
		if len(taints) == 0 && fits {
			return nil // taints are not what keeps it from this one
		}
		if len(taints) == 0 {
			small = true
		}
		if len(taints) > 0 && fits && !slices.ContainsFunc(taints, func(t corev1.Taint) bool { return notForIt(pod, t) }) {
			at := slices.IndexFunc(groups, func(g group) bool { return slices.EqualFunc(g.taints, taints, sameTaint) })
			if at < 0 {
				at, groups = len(groups), append(groups, group{taints: taints})
			}
			groups[at].nodes++
		}
	}
	// Where other nodes are only too small, the tainted ones may be meant for others.
	groups = slices.DeleteFunc(groups, func(g group) bool { return small && !slices.ContainsFunc(g.taints, forSpark) })
	if len(groups) == 0 {
		return nil
	}
	best := slices.MaxFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.nodes, b.nodes), slices.CompareFunc(b.taints, a.taints, compareTaints))
	})
	in, now := tolerations(v, roleOf(c))
	if len(in) == 0 {
		return nil
	}
	object, prefix := owner(v)
	to := slices.Clone(now)
	for _, t := range best.taints {
		one := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpEqual, Value: t.Value, Effect: t.Effect}
		if t.Value == "" {
			one.Operator = corev1.TolerationOpExists
		}
		to = append(to, one)
	}
	out := Change{Object: object, Path: below(prefix, in...), To: to, Item: &Item{To: textOf(best.taints)},
		Because: Tolerates{Taint: textOf(best.taints), Nodes: best.nodes}}
	if len(now) > 0 {
		out.From = now
	}
	return []Change{withContainer(v, roleOf(c), out)}
}

// withContainer names the container of Spark beside tolerations that are the first of a template of executors: the operator writes the
// template into a file as the API has it, with containers null where it has none, which Spark reads (executorPodTemplateOption in
// internal/controller/sparkconnect/options.go and mutateConfigMap in reconciler.go@v2.5.2).
func withContainer(v *mechanism.View, role cause.Role, of Change) Change {
	if !v.IsConnect() || role == cause.DriverRole || len(v.Spec.Executor.Template.Containers) > 0 {
		return of
	}
	of.Path, of.Item = of.Path[:len(of.Path)-1], &Item{To: "toleration " + of.Item.To}
	of.To, of.From = map[string]any{"containers": []any{map[string]any{"name": "spark-kubernetes-executor"}}, "tolerations": of.To}, nil
	return of
}

// tolerations is where the object has those of a role, and which they are: a SparkConnect has them in its templates, of which the operator
// makes the server's pod, and hands that of executors to Spark (api/v1alpha1/sparkconnect_types.go, mutateConfigMap in internal/controller/
// sparkconnect/reconciler.go@v2.5.2). Empty: they stand elsewhere.
func tolerations(v *mechanism.View, role cause.Role) ([]string, []corev1.Toleration) {
	object, _ := owner(v)
	name := string(role)
	switch {
	case object.Name == "":
		return nil, nil
	case !v.IsConnect():
		return []string{name, "tolerations"}, v.Spec.Role(name).Tolerations
	case role == cause.DriverRole:
		name = "server"
	}
	return []string{name, "template", "spec", "tolerations"}, v.Spec.Role(name).Template.Pod.Tolerations
}

// forSpark reports whether a taint keeps nodes for Spark, by its key or its value.
func forSpark(t corev1.Taint) bool {
	return strings.Contains(t.Key, "spark") || strings.Contains(t.Value, "spark")
}

// fitsOn reports whether a node that is empty has the CPU and the memory that a pod asks for.
func fitsOn(pod *corev1.Pod, n *corev1.Node) bool {
	asks := helpers.PodRequests(pod, helpers.PodResourcesOptions{})
	for _, of := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		want := asks[of]
		if has, known := n.Status.Allocatable[of]; known && want.Cmp(has) > 0 {
			return false
		}
	}
	return true
}

func notForIt(pod *corev1.Pod, t corev1.Taint) bool {
	if mechanism.KeepsOff(t.Key) {
		return true
	}
	for i := range pod.Spec.Containers {
		if _, asks := pod.Spec.Containers[i].Resources.Limits[corev1.ResourceName(t.Key)]; asks {
			return false
		}
	}
	return strings.HasSuffix(t.Key, "/gpu") // such a taint has the name of the resource
}

// untolerated are the taints of a node that keep a pod from it.
func untolerated(pod *corev1.Pod, n *corev1.Node) []corev1.Taint {
	var out []corev1.Taint
	for _, t := range n.Spec.Taints {
		_, not := scheduling.FindMatchingUntoleratedTaint(klog.Background(), []corev1.Taint{t}, pod.Spec.Tolerations,
			func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }, false)
		if not {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, compareTaints)
	return out
}

func compareTaints(a, b corev1.Taint) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Effect, b.Effect))
}

func sameTaint(a, b corev1.Taint) bool { return compareTaints(a, b) == 0 }

func textOf(taints []corev1.Taint) string {
	parts := make([]string, 0, len(taints))
	for _, t := range taints {
		parts = append(parts, t.ToString())
	}
	return strings.Join(parts, ", ")
}
