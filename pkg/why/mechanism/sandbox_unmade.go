package mechanism

import (
	"regexp"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
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
}

// Mechanism returns its ID.
func (SandboxUnmade) Mechanism() cause.ID { return "sandbox-unmade" }

func (d SandboxUnmade) alike(string) waitingDetail {
	return SandboxUnmade{Told: d.Told.alike()}
}

// SandboxFault is why a sandbox cannot be made.
type SandboxFault string

// The faults.
const (
	OtherSandboxFault SandboxFault = ""
	NoRuntimeHandler  SandboxFault = "runtime"
	NoSandboxImage    SandboxFault = "image"
	NoNetwork         SandboxFault = "network"
)

// noRuntime matches what containerd says of a RuntimeClass whose handler a node lacks
// (internal/cri/server/sandbox_run.go and internal/cri/config/config.go of containerd/containerd@v2.0.0).
var noRuntime = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once, never changed
	return regexp.MustCompile(`no runtime for "([^"]+)" is configured`)
})

// ofNetwork matches what tells that a sandbox fails for want of a network: the words of the runtime around those of a plugin
// (internal/cri/server/sandbox_run.go of containerd/containerd@v2.0.0, server/sandbox_network.go of cri-o/cri-o@v1.31.0).
var ofNetwork = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once, never changed
	return regexp.MustCompile(`(?i)\bnetwork|\bcni\b|\bplugin type=|\bIP address|\bIPAM\b`)
})

func sandboxUnmade(w *waiter, m mountEvent) cause.Cause {
	d := SandboxUnmade{Waiting: w.Waiting, Told: m.told, Node: w.pod.Spec.NodeName}
	class, certainty := cause.Scheduling, check.Likely
	handler := noRuntime().FindStringSubmatch(m.Message)
	switch {
	case handler != nil:
		class, certainty = cause.Configuration, check.Proven
		d.Fault, d.Handler = NoRuntimeHandler, handler[1]
	case strings.Contains(m.Message, "failed to get sandbox image"):
		class, certainty = cause.Image, check.Proven
		d.Fault = NoSandboxImage
	case ofNetwork().MatchString(m.Message):
		class, certainty = cause.Network, check.Proven
		d.Fault = NoNetwork
	}
	c := m.cause(w, class, d)
	c.Certainty, c.Topics = certainty, ofMemory(namesMemory(m.Message))
	return c
}
