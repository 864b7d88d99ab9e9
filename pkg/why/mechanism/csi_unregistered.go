package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unregistered is a CSI driver that a node does not have: its node plugin, a pod of a DaemonSet, registers it with the kubelet. Zero: it is
// not that.
type Unregistered struct {
	Driver string   // "efs.csi.aws.com"
	Nodes  []string // that do not have it, of pods of the application; empty: not known
	Taints []string // of the first, without those that Kubernetes sets
	Plugin Plugin   // that should register it there
}

// unregistered matches what the kubelet says of a driver that it does not know (newCsiDriverClient in pkg/volume/csi/csi_client.go of
// kubernetes@v1.36.3), and the attacher of one that a CSINode does not list (pkg/controller/csi_handler.go of
// kubernetes-csi/external-attacher@e610602).
var unregistered = lazyregexp.New(`driver name (\S+) not found in the list of registered CSI drivers|CSINode (\S+) does not contain driver (\S+)`)

// driverUnregistered reads the event about a volume of a pod.
func driverUnregistered(w *waiter, message string) (Unregistered, []cause.Proof) {
	m := unregistered.FindStringSubmatch(message)
	if m == nil {
		return Unregistered{}, nil
	}
	d := Unregistered{Driver: m[1] + m[3]}
	nodes := []string{m[2], w.pod.Spec.NodeName}
	for _, p := range append([]*corev1.Pod{w.View.Driver}, w.Executors...) {
		if p != nil && p.Status.Phase == corev1.PodPending && lacksDriver(w.View, p, d.Driver) {
			nodes = append(nodes, p.Spec.NodeName)
		}
	}
	for _, node := range nodes {
		if node != "" && !slices.Contains(d.Nodes, node) {
			d.Nodes = append(d.Nodes, node)
		}
	}
	if len(d.Nodes) == 0 {
		return d, nil
	}
	node := w.Node(d.Nodes[0])
	proofs := csiNode(w.View, d.Nodes[0])
	if node != nil {
		if d.Taints = lasting(node); len(d.Taints) > 0 {
			proofs = append(proofs, cause.Proof{Object: nodeRef(node), Field: "spec.taints", Value: strings.Join(d.Taints, ", ")})
		}
	}
	for i := range w.DaemonSets {
		if set := &w.DaemonSets[i]; servesDriver(set, d.Driver) {
			var more []cause.Proof
			d.Plugin, more = pluginOn(w.View, set, d.Nodes[0], node)
			return d, append(more, proofs...)
		}
	}
	if p, _ := podOfSet(w.View, "", PluginName(d.Driver), d.Nodes[0]); p != nil { // its DaemonSet was not seen
		plugin, more := broken(Plugin{Namespace: p.Namespace, Name: PluginName(d.Driver)}, p)
		d.Plugin = plugin
		return d, append(more, proofs...)
	}
	return d, proofs
}

func lacksDriver(v *View, p *corev1.Pod, driver string) bool {
	return slices.ContainsFunc(v.eventsOn("Pod", p.Name, "FailedMount", "FailedMapVolume", "FailedAttachVolume"), func(e app.Event) bool {
		m := unregistered.FindStringSubmatch(e.Message)
		return m != nil && m[1]+m[3] == driver
	})
}

// lasting are the taints of a node that keep pods off, without those that Kubernetes sets itself, which pods of DaemonSets tolerate
// (pkg/controller/daemon/util/daemonset_util.go of kubernetes@v1.36.3).
func lasting(n *corev1.Node) []string {
	var out []string
	for _, t := range n.Spec.Taints {
		if !strings.HasPrefix(t.Key, "node.kubernetes.io/") && t.Effect != corev1.TaintEffectPreferNoSchedule {
			out = append(out, t.ToString())
		}
	}
	return out
}

// csiNode are the drivers that a node has, where its CSINode was seen.
func csiNode(v *View, node string) []cause.Proof {
	for i := range v.CSINodes {
		one := &v.CSINodes[i]
		if one.Name != node {
			continue
		}
		var has []string
		for _, d := range one.Spec.Drivers {
			has = append(has, d.Name)
		}
		value := strings.Join(has, ", ")
		if value == "" {
			value = "none"
		}
		return []cause.Proof{{Object: csiNodeRef(one), Field: "spec.drivers", Value: value}}
	}
	return nil
}
