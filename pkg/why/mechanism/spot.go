package mechanism

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Spot is a node that its provider may take back at any time, by the label that says so.
type Spot struct {
	Key, Value string // of the label; empty: it is none, or nothing tells
	// Stays is a label of nodes that were seen and that are none: key and value; empty: there are none, or no label tells them apart.
	StaysKey, StaysValue string
	Nodes                int // that have it
	// Pins are labels that the driver selects by and that no other nodes were seen to have.
	Pins []NodeLabel
	// Restarts says that the operator starts the application again after a failure.
	Restarts bool
}

// Is reports whether the node is one.
func (s *Spot) Is() bool { return s.Key != "" }

// spotLabels are of nodes that are taken back, by provider (docs of Google Kubernetes Engine: Spot VMs, Preemptible VMs; of Amazon EKS:
// managed node groups, capacity types; karpenter.sh/docs/concepts/scheduling: well-known labels; of Azure Kubernetes Service: Spot node
// pools).
func spotLabels() map[string]string {
	return map[string]string{
		"cloud.google.com/gke-spot": "true", "cloud.google.com/gke-preemptible": "true", "eks.amazonaws.com/capacityType": "SPOT",
		"karpenter.sh/capacity-type": "spot", "kubernetes.azure.com/scalesetpriority": "spot",
	}
}

// stayingLabels tell nodes that stay from spot nodes, the most general first; of the pools the value is that of the node.
func stayingLabels() [][2]string {
	return [][2]string{
		{"karpenter.sh/capacity-type", "on-demand"}, {"eks.amazonaws.com/capacityType", "ON_DEMAND"},
		{"cloud.google.com/gke-nodepool", ""}, {"eks.amazonaws.com/nodegroup", ""}, {"kubernetes.azure.com/agentpool", ""},
	}
}

// spot is whether a pod ran on such a node: by its node, or by what it selects, where that is gone.
func (v *View) spot(p *corev1.Pod) Spot {
	labels := p.Spec.NodeSelector
	if node := v.Node(p.Spec.NodeName); node != nil {
		labels = node.Labels
	}
	s := Spot{Restarts: v.restarts(), Pins: v.pins(p.Spec.NodeSelector)}
	s.Key, s.Value = spotLabel(labels)
	if s.Is() {
		s.StaysKey, s.StaysValue, s.Nodes = v.staying(p)
	}
	return s
}

// chosenSpot is whether the driver, which is gone, was to run on such nodes.
func (v *View) chosenSpot() Spot {
	labels := maps.Clone(v.Spec.NodeSelector)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, v.Spec.Driver.NodeSelector)
	s := Spot{Restarts: v.restarts(), Pins: v.pins(labels)}
	s.Key, s.Value = spotLabel(labels)
	return s
}

// pins are the labels of a node selector that of the nodes which were seen only such nodes have.
func (v *View) pins(selector map[string]string) []NodeLabel {
	var out []NodeLabel
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		spot, others := 0, 0
		for i := range v.Nodes {
			labels := v.Nodes[i].Labels
			of, has := labels[key]
			switch name, _ := spotLabel(labels); {
			case !has || of != selector[key]:
			case name != "":
				spot++
			default:
				others++
			}
		}
		if spot > 0 && others == 0 {
			out = append(out, NodeLabel{Key: key, Value: selector[key], Nodes: spot})
		}
	}
	return out
}

// restarts reports whether the operator starts the application again after a failure.
func (v *View) restarts() bool {
	return v.Spec.RestartPolicy.Type == "Always" || v.Spec.RestartPolicy.Type == "OnFailure"
}

// spotLabel is the label that tells such a node; a platform's own has the word for its value.
func spotLabel(labels map[string]string) (key, value string) {
	spot := spotLabels()
	for _, key := range slices.Sorted(maps.Keys(spot)) {
		if labels[key] == spot[key] {
			return key, spot[key]
		}
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if strings.EqualFold(labels[key], "spot") {
			return key, labels[key]
		}
	}
	return "", ""
}

// staying is a label of nodes that are no spot nodes, are ready for pods, and have no taint that the pod does not tolerate.
func (v *View) staying(p *corev1.Pod) (key, value string, nodes int) {
	for _, label := range stayingLabels() {
		counts := map[string]int{}
		for i := range v.Nodes {
			n := &v.Nodes[i]
			spot, _ := spotLabel(n.Labels)
			of, has := n.Labels[label[0]]
			otherwise := label[1] != "" && of != label[1]
			if !has || otherwise || spot != "" || n.Spec.Unschedulable || !tolerates(p, n) {
				continue
			}
			counts[of]++
		}
		for _, of := range slices.Sorted(maps.Keys(counts)) {
			if counts[of] > nodes {
				key, value, nodes = label[0], of, counts[of]
			}
		}
		if nodes > 0 {
			return key, value, nodes
		}
	}
	return "", "", 0
}
