package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Removal is how a pod was taken from its node.
type Removal struct {
	Server        bool   // it was the server of Spark Connect, not a driver
	Lost          Lost   // executors; zero: it was the driver
	Decommissions bool   // executors hand over what they hold before they end (spark.decommission.enabled)
	Gone          bool   // the driver's pod is gone, and an event tells of it
	Node          string // of a driver; empty: nothing tells
	Asked         bool   // an event tells that somebody asked for it
	By            string // who, as the source of the event; empty: it has none
	Remover       Remover
	Reason        string // of the event, or of the pod's status
	Says          string // by whom it was taken away
}

// Remover is who takes nodes from pods, or pods from nodes.
type Remover int

// Those who do.
const (
	OtherRemover    Remover = iota
	KarpenterExpiry         // the node had to go, whatever its pods ask for
	Karpenter
	Descheduler
	ClusterAutoscaler
)

// removerOf tells them by their events (karpenter.sh/docs/concepts/disruption).
func removerOf(source, reason string) Remover {
	switch {
	case reason == "Disrupted":
		return KarpenterExpiry
	case strings.Contains(source, "karpenter"):
		return Karpenter
	case strings.Contains(source, "descheduler"):
		return Descheduler
	case strings.Contains(source, "autoscaler"):
		return ClusterAutoscaler
	default:
		return OtherRemover
	}
}

// removed is how a driver that is there was taken from its node.
func (v *View) removed(p *corev1.Pod, end End) Removal {
	return Removal{Server: v.IsConnect(), Node: p.Spec.NodeName, Says: strings.TrimSpace(cmp.Or(end.Message, p.Status.Message))}
}

// goneRemoval is that of a driver that is gone, by an event.
func (v *View) goneRemoval(e app.Event, pod string) Removal {
	return Removal{Gone: true, Node: v.nodeOf(pod), Asked: true, By: e.Source, Remover: removerOf(e.Source, e.Reason), Reason: e.Reason,
		Says: e.Message}
}

func executorsRemoved(v *View, lost Lost, first End) Removal {
	return Removal{Lost: lost, By: first.By, Decommissions: v.Spec.Conf["spark.decommission.enabled"] == "true", Says: first.Message}
}
