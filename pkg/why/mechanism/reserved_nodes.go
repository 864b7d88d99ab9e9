package mechanism

import (
	"slices"
	"strings"
)

// KeepsOff reports whether a taint says something of the state of a node, or keeps it for the cluster itself: a pod of Spark that tolerates
// it gets a node that does not work, or takes what is not meant for it (content/en/docs/reference/labels-annotations-taints/_index.md of
// kubernetes/website; cloud-provider of kubernetes@v1.36.3; cluster-autoscaler/utils/taints/taints.go of
// kubernetes/autoscaler@cluster-autoscaler-1.34.0; CriticalAddonsOnly, of system node pools: articles/aks/use-system-pools.md of
// MicrosoftDocs/azure-aks-docs).
func KeepsOff(taint string) bool {
	kept := []string{"node.kubernetes.io/", "node-role.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "ToBeDeletedByClusterAutoscaler",
		"DeletionCandidateOfClusterAutoscaler", "node.cilium.io/", "CriticalAddonsOnly"}
	return slices.ContainsFunc(kept, func(prefix string) bool { return strings.HasPrefix(taint, prefix) })
}

// reserved reports whether each taint of the nodes that a pod could run on otherwise is such.
func (r *Room) reserved() bool {
	return len(r.Taints) > 0 && !slices.ContainsFunc(r.Taints, func(taint string) bool { return !KeepsOff(taint) })
}

// reserved reports whether all taints of which a scheduler speaks are such.
func (p *Placement) reserved() bool {
	n := 0
	for i := range p.Refusals {
		switch key := p.Refusals[i].Taint; {
		case key == "":
		case !KeepsOff(key):
			return false
		default:
			n++
		}
	}
	return n > 0
}
