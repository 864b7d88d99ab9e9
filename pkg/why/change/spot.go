package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// spot puts a driver on nodes that stay, where its node was taken back, and leaves executors where they are. Selectors of the application
// hold for both roles, and those of a role are added to them (BasicDriverFeatureStep.scala in resource-managers/kubernetes/core/src/main/
// scala/org/apache/spark/deploy/k8s/features@v3.5.5).
func spot(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.LostNode)
	object, prefix := owner(v)
	if !is || d.Spot.StaysKey == "" || d.Lost.N > 0 || d.Server || object.Name == "" {
		return nil
	}
	s, driver := d.Spot, v.Spec.Driver.NodeSelector
	out := []Change{{Object: object, Path: below(prefix, "driver", "nodeSelector", s.StaysKey), To: s.StaysValue,
		Because: Labelled{Label: s.StaysKey + "=" + s.StaysValue, Nodes: s.Nodes}}}
	if now := driver[s.StaysKey]; now != "" {
		out[0].From = now
	}
	if s.StaysKey == s.Key {
		return out // that of the role replaces that of the application
	}
	if driver[s.Key] == s.Value {
		out = append(out, Change{Object: object, Path: below(prefix, "driver", "nodeSelector", s.Key), From: s.Value, Because: Told{}})
	}
	if v.Spec.NodeSelector[s.Key] == s.Value {
		out = append(out,
			Change{Object: object, Path: below(prefix, "nodeSelector", s.Key), From: s.Value, Because: Told{}},
			Change{Object: object, Path: below(prefix, "executor", "nodeSelector", s.Key), To: s.Value, Because: Told{}})
	}
	if p := v.Driver; p != nil && p.Spec.NodeSelector[s.Key] == s.Value && len(out) == 1 {
		return nil // it comes from elsewhere, such as a template
	}
	return out
}
