package change

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// spot puts a driver on nodes that stay, where its node was taken back, and leaves executors where they are. Selectors of the application
// hold for both roles, and those of a role are added to them (BasicDriverFeatureStep.scala in resource-managers/kubernetes/core/src/main/
// scala/org/apache/spark/deploy/k8s/features@v3.5.5).
func spot(v *mechanism.View, c *cause.Cause) []Change {
	of, s := takenBack(c.Detail)
	object, prefix := owner(v)
	if s.StaysKey == "" || of.Lost.N > 0 || of.Server || object.Name == "" {
		return nil
	}
	out := []Change{{Object: object, Path: below(prefix, "driver", "nodeSelector", s.StaysKey), To: s.StaysValue,
		Because: Labelled{Label: s.StaysKey + "=" + s.StaysValue, Nodes: s.Nodes}}}
	if s.Nodes == 0 {
		out[0].Because = Offered{}
	}
	if now := v.Spec.Driver.NodeSelector[s.StaysKey]; now != "" {
		out[0].From = now
	}
	for _, label := range keepOnSpot(&s) {
		key, value, n := label.Key, label.Value, len(out)
		if v.Spec.Driver.NodeSelector[key] == value {
			out = append(out, Change{Object: object, Path: below(prefix, "driver", "nodeSelector", key), From: value, Because: Told{}})
		}
		if v.Spec.NodeSelector[key] == value {
			out = append(out,
				Change{Object: object, Path: below(prefix, "nodeSelector", key), From: value, Because: Told{}},
				Change{Object: object, Path: below(prefix, "executor", "nodeSelector", key), To: value, Because: Told{}})
		}
		if p := v.Driver; p != nil && p.Spec.NodeSelector[key] == value && len(out) == n {
			return nil // it comes from elsewhere, such as a template
		}
	}
	return out
}

// keepOnSpot are the labels by which a driver selects such nodes. One with the key of those that stay is replaced: that of the role counts
// before that of the application.
func keepOnSpot(s *mechanism.Spot) []mechanism.NodeLabel {
	list := slices.Clone(s.Pins)
	if !slices.ContainsFunc(list, func(l mechanism.NodeLabel) bool { return l.Key == s.Key }) {
		list = append(list, mechanism.NodeLabel{Key: s.Key, Value: s.Value})
	}
	return slices.DeleteFunc(list, func(l mechanism.NodeLabel) bool { return l.Key == "" || l.Key == s.StaysKey })
}

// takenBack is how a pod lost its node to a provider; zero: it did not.
func takenBack(detail cause.Detail) (mechanism.Removal, mechanism.Spot) {
	switch d := detail.(type) {
	case mechanism.LostNode:
		return d.Removal, d.Spot
	case mechanism.Drain:
		return d.Removal, d.Spot
	default:
		return mechanism.Removal{}, mechanism.Spot{}
	}
}
