package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// KeepsNode is an annotation of a pod for which those who remove nodes wait.
type KeepsNode struct{ Misplaced bool } // the application itself has it, which its pods do not get

func (KeepsNode) reason() {}

// keepsNode annotates a driver that was taken from its node, by whom an annotation keeps from that
// (karpenter.sh/docs/concepts/disruption, and the FAQ of the cluster autoscaler).
func keepsNode(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.Drain)
	object, prefix := owner(v)
	if !is || object.Name == "" || v.IsConnect() || d.Interrupted != (mechanism.Interruption{}) {
		return nil
	}
	key, value := "", ""
	switch d.Remover {
	case mechanism.Karpenter:
		key, value = "karpenter.sh/do-not-disrupt", "true"
	case mechanism.ClusterAutoscaler:
		key, value = "cluster-autoscaler.kubernetes.io/safe-to-evict", "false"
	default:
		return nil
	}
	now := v.Spec.Driver.Annotations[key]
	if now == value || v.Driver != nil && v.Driver.Annotations[key] == value {
		return nil
	}
	one := Change{Object: object, Path: below(prefix, "driver", "annotations", key), To: value,
		Because: KeepsNode{Misplaced: v.Application.Annotations[key] == value}}
	if now != "" {
		one.From = now
	}
	return []Change{one}
}
