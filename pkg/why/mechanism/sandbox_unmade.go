package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SandboxUnmade is a pod whose sandbox, the network and the namespaces that its containers share, the runtime of its node cannot make. The
// events are of one kind whatever is at fault: a RuntimeClass, the image of sandboxes, the network, or the node.
type SandboxUnmade struct {
	Waiting
	Told

	Node    string
	Fault   SandboxFault
	Handler string // of the RuntimeClass, which the node lacks
	Plugin  string // of the network, which failed; empty: not known
	Error   string // of that plugin
	Beside  bool   // a pod of the same node that started after the first such event
	// Range is the podCIDR of the node where it has no addresses left, and Pods how many pods the node allows; empty: not known.
	Range string
	Pods  int64
}

// Mechanism returns its ID.
func (SandboxUnmade) Mechanism() cause.ID { return "sandbox-unmade" }

// alike leaves out what is of one pod: its name, and the sandbox that was to be made. Where a node has no addresses, that is all.
func (d SandboxUnmade) alike(pod string) waitingDetail {
	if d.Fault == NoAddresses {
		return SandboxUnmade{Node: d.Node, Fault: d.Fault}
	}
	said := d.Told.alike()
	said.Said = without(pod, said.Said)
	return SandboxUnmade{Told: said, Plugin: d.Plugin, Error: without(pod, d.Error)}
}

// SandboxFault is why a sandbox cannot be made.
type SandboxFault string

// The faults.
const (
	OtherSandboxFault SandboxFault = ""
	NoRuntimeHandler  SandboxFault = "runtime"
	NoSandboxImage    SandboxFault = "image"
	NoNetwork         SandboxFault = "network"
	NoAddresses       SandboxFault = "addresses" // the plugin of the network has none left for the node
	PluginLimited     SandboxFault = "limited"   // the plugin takes no more requests at a time
)

// ofPlugin matches the error of a plugin of the network behind its type (pkg/invoke and pkg/types of containernetworking/cni as containerd
// hands them on: internal/cri/server/sandbox_run.go of containerd/containerd@v2.0.0).
var ofPlugin = lazyregexp.New(`(?s)plugin type="([^"]+)"(?: name="[^"]*")? failed \(add\): (.+)$`)

// limited matches the answer of an agent to a plugin that asks too often: HTTP 429. Cilium's lets so many pods of a node get their network
// at a time (Documentation/configuration/api-rate-limiting.rst of cilium/cilium; issue 45103 there).
var limited = lazyregexp.New(`\[429\]|TooManyRequests|(?i:\b429 too many requests)`)

// noAddresses matches what plugins say that have no address left for a pod: cilium pkg/ipam/service/ipallocator/allocator.go@v1.15.0,
// containernetworking/plugins plugins/ipam/host-local/backend/allocator/allocator.go@v1.5.1, aws/amazon-vpc-cni-k8s
// cmd/routed-eni-cni-plugin/cni.go@v1.18.0, Azure/azure-container-networking cns/restserver/ipam.go@v1.5.0, projectcalico/calico
// libcalico-go/lib/ipam/ipam.go@v3.28.0.
var noAddresses = lazyregexp.New(`(?i)range is full|no IP addresses available in range set|failed to assign an IP address to container` +
	`|InsufficientFreeAddressesInSubnet|no available IP addresses|no more free affine blocks`)

// sandboxIn matches the name that a runtime gave to a sandbox, which no reader needs.
var sandboxIn = lazyregexp.New(`^\(combined from similar events\): | for sandbox "[0-9a-f]{16,}"|(?: pod)? ?sandbox k8s_\S+| \(?[0-9a-f]{64}\)?`)

// noRuntime matches what containerd says of a RuntimeClass whose handler a node lacks
// (internal/cri/server/sandbox_run.go and internal/cri/config/config.go of containerd/containerd@v2.0.0).
var noRuntime = lazyregexp.New(`no runtime for "([^"]+)" is configured`)

// ofNetwork matches what tells that a sandbox fails for want of a network: the words of the runtime around those of a plugin
// (internal/cri/server/sandbox_run.go of containerd/containerd@v2.0.0, server/sandbox_network.go of cri-o/cri-o@v1.31.0).
var ofNetwork = lazyregexp.New(`(?i)\bnetwork|\bcni\b|\bplugin type=|\bIP address|\bIPAM\b`)

func sandboxUnmade(w *waiter, m mountEvent) cause.Cause {
	d := SandboxUnmade{Waiting: w.Waiting, Told: m.told, Node: w.pod.Spec.NodeName}
	class, certainty := cause.Scheduling, check.Likely
	d.Said = sandboxIn.ReplaceAllString(d.Said, "")
	if m := ofPlugin.FindStringSubmatch(d.Said); m != nil {
		d.Plugin, d.Error = m[1], m[2]
	}
	handler := noRuntime.FindStringSubmatch(m.Message)
	switch {
	case handler != nil:
		class, certainty = cause.Configuration, check.Proven
		d.Fault, d.Handler = NoRuntimeHandler, handler[1]
	case strings.Contains(m.Message, "failed to get sandbox image"):
		class, certainty = cause.Image, check.Proven
		d.Fault = NoSandboxImage
	case noAddresses.MatchString(m.Message):
		class, certainty = cause.Network, check.Proven
		d.Fault = NoAddresses
		d.Said = noAddresses.FindString(m.Message)
		if n := w.Node(d.Node); n != nil {
			d.Range, d.Pods = n.Spec.PodCIDR, n.Status.Allocatable.Pods().Value()
		}
	case d.Plugin != "" && limited.MatchString(d.Error):
		class, certainty = cause.Network, check.Proven
		if d.Fault = PluginLimited; w.Others.Running > 0 {
			class = cause.SlowButProgressing // the kubelet tries again
		}
	case ofNetwork.MatchString(m.Message):
		class, certainty = cause.Network, check.Proven
		d.Fault = NoNetwork
	}
	var beside []cause.Proof
	if d.Fault == NoNetwork || d.Fault == PluginLimited {
		beside = w.startedBeside()
		d.Beside = len(beside) > 0
	}
	c := m.cause(w, class, d)
	c.Evidence = append(c.Evidence, beside...)
	c.Certainty, c.Topics = certainty, ofMemory(namesMemory(m.Message))
	return c
}

// startedBeside is a pod that started on the node of the one that waits, after the first event that its sandbox was not made.
func (w *waiter) startedBeside() []cause.Proof {
	failed := w.eventsOn("Pod", w.pod.Name, "FailedCreatePodSandBox")
	if len(failed) == 0 || w.pod.Spec.NodeName == "" {
		return nil
	}
	since := failed[0].First
	for _, e := range failed {
		if e.First.Before(since) {
			since = e.First
		}
	}
	for _, pods := range [][]corev1.Pod{w.Evidence.Pods, w.Neighbors} {
		for i := range pods {
			p := &pods[i]
			if p.Spec.NodeName != w.pod.Spec.NodeName || p.Name == w.pod.Name || p.Spec.HostNetwork {
				continue
			}
			if c := app.Container(p); c != nil && c.RestartCount == 0 && c.State.Running != nil && c.State.Running.StartedAt.After(since) {
				return []cause.Proof{{Object: Ref(p), Field: "status.containerStatuses[" + c.Name + "].state.running.startedAt",
					Value: "on " + p.Spec.NodeName, At: c.State.Running.StartedAt.UTC()}}
			}
		}
	}
	return nil
}
