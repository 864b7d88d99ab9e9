package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Capped is why an autoscaler adds no node that would take the pod: its groups of nodes, or a NodePool, are as large as they may be.
type Capped struct {
	Pool  string // NodePool of Karpenter; empty: of another autoscaler
	Said  string // by the autoscaler, of that alone
	Of    corev1.ResourceName
	Limit resource.Quantity // of the NodePool, where it was seen and would be exceeded by what the pods ask for
	Used  resource.Quantity
}

var (
	// pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter: the name stands behind a colon up to v1.4.
	poolCapped = lazyregexp.New(`all available instance types exceed limits for nodepool(?:(?::? "| \(NodePool=)([\w.-]+))?`)
	// core/scaleup/orchestrator/skippedreasons.go of kubernetes/autoscaler@cluster-autoscaler-1.31.0
	groupCapped = lazyregexp.New(`\d+ max node group size reached`)
)

// cappedFor is what the last events of a pod say of that. One that added a node since looks alike.
func cappedFor(w *waiter) (Capped, []cause.Proof) {
	pods := []*corev1.Pod{w.pod}
	if app.RoleOf(w.pod) == string(cause.ExecutorRole) {
		pods = append(pods, w.pendingExecutors()...) // all ask for the same, and an autoscaler may tell it of one
	}
	for _, p := range pods {
		if c, proofs := cappedOf(w, p); c.Said != "" {
			return c, proofs
		}
	}
	return Capped{}, nil
}

func cappedOf(w *waiter, p *corev1.Pod) (Capped, []cause.Proof) {
	events := w.eventsOn("Pod", p.Name, "FailedScheduling", "NotTriggerScaleUp", "TriggeredScaleUp", "Nominated")
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		proofs := []cause.Proof{{Object: Ref(p), Field: "event " + e.Reason, Value: e.Message, At: e.Last, Beside: true}}
		if e.Reason == "TriggeredScaleUp" || e.Reason == "Nominated" {
			return Capped{}, nil
		}
		if m := poolCapped.FindStringSubmatch(e.Message); m != nil {
			out := Capped{Pool: m[1], Said: "all available instance types exceed limits"}
			return out, append(proofs, out.limit(w)...)
		}
		if said := groupCapped.FindString(e.Message); said != "" {
			return Capped{Said: said}, proofs
		}
	}
	return Capped{}, nil
}

// limit is what of its limits the NodePool would exceed with one such pod more, by what nodes of it hold.
func (c *Capped) limit(w *waiter) []cause.Proof {
	at := slices.IndexFunc(w.Pools, func(p app.Pool) bool { return p.Name == c.Pool })
	if at < 0 {
		return nil
	}
	pool := &w.Pools[at]
	for _, name := range sortedNames(pool.Limits) {
		used, has := pool.Used[name]
		largest := largestOf(w.View, c.Pool, name)
		after := used.DeepCopy()
		after.Add(largest)
		if most := pool.Limits[name]; has && !largest.IsZero() && after.Cmp(most) > 0 {
			c.Of, c.Limit, c.Used = name, most, used
			return []cause.Proof{{Object: pool.Ref, Field: "spec.limits[" + string(name) + "]", Value: most.String()},
				{Object: pool.Ref, Field: "status.resources[" + string(name) + "]", Value: used.String()}}
		}
	}
	return nil
}

// largestOf is how much the largest node of a NodePool has; zero: none was seen.
func largestOf(v *View, pool string, name corev1.ResourceName) (most resource.Quantity) {
	for i := range v.Nodes {
		if has := v.Nodes[i].Status.Capacity[name]; v.Nodes[i].Labels["karpenter.sh/nodepool"] == pool && has.Cmp(most) > 0 {
			most = has
		}
	}
	return most
}
