package change

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// RanOn is the architecture of the nodes on which a program ran.
type RanOn struct{ Arch string }

func (RanOn) reason() {}

// architecture keeps pods on nodes of the architecture on which their program ran: those of both roles where it is the image. A role that
// selects an architecture, or lists nodes in a pod template, is left as it is. The field of the application and those of the roles exclude
// each other (NodeSelector in api/v1beta2/sparkapplication_types.go@v2.5.2).
func architecture(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.BuiltForOther)
	if !is {
		d, is = mechanism.UnstartedOnOther(v, c)
	}
	if !is || d.Runs == "" || v.IsConnect() || v.Spec.NodeSelector[corev1.LabelArchStable] != "" {
		return nil
	}
	object, prefix := owner(v)
	if len(v.Spec.NodeSelector) > 0 && object.Name != "" {
		return []Change{{Object: object, Path: below(prefix, "nodeSelector", corev1.LabelArchStable), To: d.Runs, Because: RanOn{d.Runs}}}
	}
	roles := []cause.Role{d.Role}
	if d.Program == "" {
		roles = []cause.Role{cause.ExecutorRole, cause.DriverRole}
	}
	var out []Change
	for _, role := range roles {
		setting := "spark.kubernetes." + string(role) + ".node.selector." + corev1.LabelArchStable
		one := Change{Path: []string{setting}, To: d.Runs, Because: RanOn{d.Runs}}
		if object.Name != "" {
			one.Object, one.Path = object, below(prefix, string(role), "nodeSelector", corev1.LabelArchStable)
		}
		selects := v.Spec.Role(string(role)).NodeSelector[corev1.LabelArchStable] != "" || v.Spec.Conf[setting] != "" ||
			v.Spec.Conf["spark.kubernetes.node.selector."+corev1.LabelArchStable] != ""
		if !selects {
			out = append(out, one)
		}
	}
	return out
}
