package node

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/plan"
)

// Names of the node's programs, and of their logs.
const (
	containerdName = "containerd"
	kubeletName    = "kubelet"
	dnsName        = "coredns"
)

// plan says what boot makes of its namespaces.
func (n *Node) plan() plan.Plan {
	return plan.Plan{
		Dir: n.Dir,
		// What these write outside of the directories that they are told: /run/containerd, /var/lib/cni, /var/lib/kubelet,
		// /var/log/containers.
		Hide: []string{"/run", "/var/lib", "/var/log"},
		Settings: []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops", "kernel/keys/root_maxkeys",
			"kernel/keys/root_maxbytes"},
		Link: nodeInterface, Bridge: bridge, Address: nodeAddress + prefix, Route: plan.Route{To: services, Via: hostAddress},
		Programs: []plan.Program{
			{
				Name: containerdName, Path: filepath.Join(n.tools.containerd, containerdName), Args: []string{"--config", n.file(containerdFile)},
				Env: []string{"TMPDIR=" + n.file("tmp"),
					"PATH=" + n.tools.containerd + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
				Socket: n.file(containerdSocket),
			},
			{Name: dnsName, Path: filepath.Join(n.tools.coredns, dnsName), Args: []string{"-conf", n.file(corefile)}},
			{Name: kubeletName, Path: filepath.Join(n.tools.kubelet, kubeletName), Args: n.kubeletArgs()},
		},
	}
}

func (n *Node) kubeletArgs() []string {
	args := []string{
		"--config=" + n.file(kubeletFile), "--kubeconfig=" + n.file("kubelet-client.kubeconfig"),
		"--root-dir=" + n.file("kubelet"), "--cert-dir=" + n.file("certificates"),
		"--hostname-override=" + n.Name, "--node-ip=" + nodeAddress, "--v=2",
	}
	var labels []string
	for name, value := range n.opts.Labels {
		labels = append(labels, name+"="+value)
	}
	if len(labels) > 0 {
		slices.Sort(labels)
		args = append(args, "--node-labels="+strings.Join(labels, ","))
	}
	return args
}
