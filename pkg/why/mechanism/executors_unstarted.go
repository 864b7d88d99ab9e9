package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExecutorsUnstarted are executors whose container the runtime could not start: its reason is StartError or ContainerCannotRun, and no
// process of theirs ever ran.
type ExecutorsUnstarted struct {
	Lost  Lost
	Says  string // by the runtime
	Fault StartFault
}

// Mechanism names what was found.
func (ExecutorsUnstarted) Mechanism() cause.ID { return "executors-unstarted" }

// StartFault is what the words of a container runtime about a container that it could not start mean: a fault of the image, of a setting
// or of the node (libcontainer/{process_linux,standard_init_linux}.go of opencontainers/runc@v1.2.0,
// internal/cri/server/container_start.go of containerd/containerd@v2.0.0).
type StartFault int

// What such words mean.
const (
	UntoldStartFault StartFault = iota
	OtherArchitecture
	NoCommand     // the image does not have it
	NotExecutable // for the user that the pod runs as
	FirstProcessOOM
	NodeDiskFull
	NodeBusy // its node or the runtime there, which the message does not tell apart
)

// startFaultOf reads what a runtime says.
func startFaultOf(says string) StartFault {
	for _, one := range []struct {
		fault StartFault
		words []string
	}{
		{OtherArchitecture, []string{"exec format error"}},
		{NoCommand, []string{"executable file not found", "no such file or directory"}},
		{NotExecutable, []string{"permission denied"}},
		{FirstProcessOOM, []string{"OOM-killed"}},
		{NodeDiskFull, []string{"no space left on device"}},
		{NodeBusy, []string{"context canceled", "deadline exceeded", "cannot allocate memory", "Resource temporarily unavailable"}},
	} {
		for _, w := range one.words {
			if strings.Contains(says, w) {
				return one.fault
			}
		}
	}
	return UntoldStartFault
}

func unstarted(lost Lost, first End, c *cause.Cause) {
	d := ExecutorsUnstarted{Lost: lost, Says: first.Message, Fault: startFaultOf(first.Message)}
	c.Class, c.Detail = cause.Image, d
	switch d.Fault {
	case FirstProcessOOM:
		c.Class, c.Topics = cause.ClusterKilled, cause.Memory
	case NodeDiskFull:
		c.Class = cause.Storage
	case NodeBusy:
		c.Class, c.Certainty, c.Effect = cause.Unknown, check.Likely, true
	case UntoldStartFault:
		c.Certainty = check.Likely
	}
}
