package change

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// label is about a node selector of which one label is spelled otherwise than nodes have it.
func label(v *mechanism.View, c *cause.Cause) []Change {
	pod := unplaced(v, c)
	if pod == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(pod.Spec.NodeSelector)) {
		value := pod.Spec.NodeSelector[key]
		have := valuesOf(v.Nodes, key)
		if slices.Contains(have, value) {
			continue
		}
		near := have
		if len(have) > 1 {
			near = spelling.Nearest(value, have, spelling.Few)
		}
		object, path := selector(v, roleOf(c), key, value)
		if len(near) != 1 || !spelling.Slip(value, near[0]) || object.Name == "" {
			return nil
		}
		n := taking(v.Nodes, pod, key, near[0])
		if n == 0 {
			return nil
		}
		return []Change{{Object: object, Path: path, From: value, To: near[0], Because: Labelled{Label: key + "=" + near[0], Nodes: n}}}
	}
	return nil
}

// unplaced is the pod for which the scheduler finds no node, where the nodes were seen; nil: it is about something else.
func unplaced(v *mechanism.View, c *cause.Cause) *corev1.Pod {
	d, is := c.Detail.(mechanism.Unschedulable)
	if !is || !d.Room.None || d.Group.Ref.Name != "" || len(d.Room.Short) > 0 {
		return nil
	}
	return v.Pod(c.Subject.Name)
}

func valuesOf(nodes []corev1.Node, key string) []string {
	var out []string
	for i := range nodes {
		if value, has := nodes[i].Labels[key]; has {
			out = append(out, value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// taking is how many nodes would take the pod if it selected another value of a label, as the scheduler decides it.
func taking(nodes []corev1.Node, pod *corev1.Pod, key, value string) int {
	other := pod.DeepCopy()
	other.Spec.NodeSelector[key] = value
	wants, n := nodeaffinity.GetRequiredNodeAffinity(other), 0
	for i := range nodes {
		matches, err := wants.Match(&nodes[i])
		if err == nil && matches && !nodes[i].Spec.Unschedulable && len(untolerated(other, &nodes[i])) == 0 {
			n++
		}
	}
	return n
}

// selector is where the spec selects nodes by a label; without a name: elsewhere, as in a pod template.
func selector(v *mechanism.View, role cause.Role, key, value string) (snapshot.Ref, []string) {
	object, prefix := owner(v)
	setting := "spark.kubernetes.node.selector." + key
	ofRole := "spark.kubernetes." + string(role) + ".node.selector." + key
	switch {
	case object.Name == "":
	case v.Spec.Role(string(role)).NodeSelector[key] == value:
		return object, below(prefix, string(role), "nodeSelector", key)
	case v.Spec.NodeSelector[key] == value:
		return object, below(prefix, "nodeSelector", key)
	case v.Spec.Conf[ofRole] == value:
		return object, below(prefix, "sparkConf", ofRole)
	case v.Spec.Conf[setting] == value:
		return object, below(prefix, "sparkConf", setting)
	}
	return snapshot.Ref{}, nil
}
