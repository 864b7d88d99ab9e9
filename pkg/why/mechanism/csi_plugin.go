package mechanism

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Plugin is the DaemonSet of a driver, and why it has no pod at work on a node. Zero: the DaemonSet was not seen.
type Plugin struct {
	Namespace, Name string
	Fault           PluginFault
	Taints          []string // that it does not tolerate
	Selector        string   // that does not match the node
	Pod, Container  string   // on the node
	Reason          string   // why that container ended or waits
	Code            int32
	Restarts        int32
}

// PluginFault is why a plugin is not at work on a node.
type PluginFault string

// The faults.
const (
	PluginUnknown     PluginFault = ""
	PluginUntolerated PluginFault = "taint"
	PluginUnselected  PluginFault = "selector"
	PluginEnds        PluginFault = "ends"
	PluginWaits       PluginFault = "waits"
	PluginAbsent      PluginFault = "absent" // no pod, though it may run there
)

// servesDriver reports whether the pods of a DaemonSet serve a driver: its sockets lie in a directory of the kubelet that has the name of
// the driver (kubernetes-csi/node-driver-registrar README.md@v2.13.0), or the DaemonSet has the name that its chart gives it.
func servesDriver(set *appsv1.DaemonSet, driver string) bool {
	pod := &set.Spec.Template.Spec
	of := func(path string) bool { return slices.Contains(strings.Split(path, "/"), driver) }
	return set.Name == PluginName(driver) ||
		slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil && of(v.HostPath.Path) }) ||
		slices.ContainsFunc(pod.Containers, func(c corev1.Container) bool { return slices.ContainsFunc(c.Args, of) })
}

// PluginName is the DaemonSet of a driver, where it is known (charts/aws-ebs-csi-driver/templates/_node.tpl of
// kubernetes-sigs/aws-ebs-csi-driver@v1.44.0, charts/aws-efs-csi-driver/templates/node-daemonset.yaml of
// kubernetes-sigs/aws-efs-csi-driver@v2.1.0, charts/latest/azuredisk-csi-driver of kubernetes-sigs/azuredisk-csi-driver@v1.33.0).
func PluginName(driver string) string {
	return map[string]string{
		"ebs.csi.aws.com": "ebs-csi-node", "efs.csi.aws.com": "efs-csi-node", "disk.csi.azure.com": "csi-azuredisk-node",
	}[driver]
}

// pluginOn is why a DaemonSet has no pod at work on a node (NodeShouldRunDaemonPod in pkg/controller/daemon/daemon_controller.go of
// kubernetes@v1.36.3).
func pluginOn(v *View, set *appsv1.DaemonSet, name string, node *corev1.Node) (Plugin, []cause.Proof) {
	out := Plugin{Namespace: set.Namespace, Name: set.Name}
	ref := snapshot.Ref{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: string(set.UID)}
	if p, elsewhere := podOfSet(v, set.Namespace, set.Name, name); p != nil {
		return broken(out, p)
	} else if node == nil {
		return out, nil
	} else if elsewhere && v.Counted[name] {
		out.Fault = PluginAbsent
	}
	pod := &corev1.Pod{Spec: set.Spec.Template.Spec}
	if matches, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); err == nil && !matches {
		out.Fault, out.Selector = PluginUnselected, selectorText(pod)
		return out, []cause.Proof{{Object: ref, Field: "spec.template.spec.nodeSelector", Value: out.Selector}}
	}
	for _, t := range node.Spec.Taints {
		if !strings.HasPrefix(t.Key, "node.kubernetes.io/") && !toleratesTaints(pod, []corev1.Taint{t}) {
			out.Fault, out.Taints = PluginUntolerated, append(out.Taints, t.ToString())
		}
	}
	if len(out.Taints) == 0 {
		return out, nil
	}
	return out, []cause.Proof{{Object: ref, Field: "spec.template.spec.tolerations", Value: tolerationsText(pod)}}
}

// podOfSet is the pod of a DaemonSet on a node, by its name: what is kept of a neighbor has no owner. A DaemonSet puts one suffix behind
// its name (pkg/controller/controller_utils.go of kubernetes@v1.36.3, GenerateName). elsewhere says that it has pods on other nodes.
func podOfSet(v *View, namespace, set, node string) (found *corev1.Pod, elsewhere bool) {
	for i := range v.Neighbors {
		p := &v.Neighbors[i]
		suffix, named := strings.CutPrefix(p.Name, set+"-")
		switch {
		case namespace != "" && p.Namespace != namespace || set == "" || !named || strings.Contains(suffix, "-"):
		case p.Spec.NodeName != node:
			elsewhere = true
		default:
			found = p
		}
	}
	return found, elsewhere
}

// broken is what keeps a pod from its work, where one of its containers ended or waits.
func broken(d Plugin, p *corev1.Pod) (Plugin, []cause.Proof) {
	d.Pod = p.Name
	for i := range p.Status.ContainerStatuses {
		s := &p.Status.ContainerStatuses[i]
		ended := s.State.Terminated
		if waits := s.State.Waiting; waits != nil {
			d.Fault, d.Container, d.Reason, d.Restarts = PluginWaits, s.Name, waits.Reason, s.RestartCount
			ended = s.LastTerminationState.Terminated
		}
		if ended != nil {
			d.Fault, d.Container, d.Code, d.Restarts = PluginEnds, s.Name, ended.ExitCode, s.RestartCount
			d.Reason = cmp.Or(ended.Reason, d.Reason)
		}
		if d.Fault != PluginUnknown {
			return d, []cause.Proof{{Object: Ref(p), Field: "status.containerStatuses[" + s.Name + "]", Value: d.Reason}}
		}
	}
	return d, nil
}

// tolerationsText is what the pods of a spec tolerate, by key.
func tolerationsText(p *corev1.Pod) string {
	var out []string
	for i := range p.Spec.Tolerations {
		out = append(out, cmp.Or(p.Spec.Tolerations[i].Key, "every taint"))
	}
	return cmp.Or(strings.Join(out, ", "), "none")
}
