package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// StartFailed is a driver whose container the runtime could not start (reasons of kubernetes
// pkg/kubelet/kuberuntime/kuberuntime_container.go@v1.36.3 and containerd). A process that started and exited has another reason, also
// where its exit code is the same.
type StartFailed struct {
	Server bool // it is the server of Spark Connect
	Reason string
	Exit   int
	Said   string // by the runtime
	Image  string
	Fault  StartFault
}

// Mechanism returns its ID.
func (StartFailed) Mechanism() cause.ID { return "start-failed" }

// ExecutorsUnstarted are executors whose containers the runtime could not start.
type ExecutorsUnstarted struct {
	N, Of int    // how many, of how many
	Said  string // by the runtime of the first
	Fault StartFault
}

// Mechanism returns its ID.
func (ExecutorsUnstarted) Mechanism() cause.ID { return "executors-unstarted" }

// StartFault is what keeps the process of a container from starting.
type StartFault string

// The faults.
const (
	OtherStartFault   StartFault = ""
	WrongArchitecture StartFault = "architecture"
	NoCommand         StartFault = "command"
	NotExecutable     StartFault = "permission"
	StartOOMKilled    StartFault = "memory limit"
	NodeDiskFull      StartFault = "disk"
	RuntimeFailed     StartFault = "runtime" // or its node, which the message does not tell apart
)

// wrongArchitecture is what the kernel says of a program for another CPU (ENOEXEC).
const wrongArchitecture = "exec format error"

// startFault reads what a container runtime says (libcontainer/{process_linux,standard_init_linux}.go of opencontainers/runc@v1.2.0,
// internal/cri/server/container_start.go of containerd/containerd@v2.0.0).
func startFault(said string) StartFault {
	for _, one := range []struct {
		fault StartFault
		said  []string
	}{
		{WrongArchitecture, []string{wrongArchitecture}},
		{NoCommand, []string{"executable file not found", "no such file or directory"}},
		{NotExecutable, []string{"permission denied"}},
		{StartOOMKilled, []string{"OOM-killed"}},
		{NodeDiskFull, []string{"no space left on device"}},
		{RuntimeFailed, []string{"context canceled", "deadline exceeded", "cannot allocate memory", "Resource temporarily unavailable"}},
	} {
		if slices.ContainsFunc(one.said, func(words string) bool { return strings.Contains(said, words) }) {
			return one.fault
		}
	}
	return OtherStartFault
}

// unstartable is a cause that rests on such a fault: of the image, of a setting or of the node.
func unstartable(fault StartFault) cause.Cause {
	switch fault {
	case StartOOMKilled:
		return cause.Cause{Class: cause.ClusterKilled}
	case NodeDiskFull:
		return cause.Cause{Class: cause.Storage}
	case RuntimeFailed:
		return cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true}
	case OtherStartFault:
		return cause.Cause{Class: cause.Image, Certainty: check.Likely}
	default:
		return cause.Cause{Class: cause.Image}
	}
}

// startError is about a driver whose container could not be started; nil: it was.
func startError(v *View, p *corev1.Pod, t *corev1.ContainerStateTerminated) *cause.Cause {
	if MeaningOf(int(t.ExitCode), t.Reason) != NeverRan {
		return nil
	}
	if c, is := mountFailed(v, p, t.Message); is {
		return &c
	}
	d := StartFailed{Server: v.IsConnect(), Reason: t.Reason, Exit: int(t.ExitCode), Said: t.Message, Image: app.MainImage(p),
		Fault: startFault(t.Message)}
	c := unstartable(d.Fault)
	c.Role, c.Subject = cause.DriverRole, Ref(p)
	c.Detail = d
	if d.Fault != WrongArchitecture {
		c.Topics = ofMemory(namesMemory(d.Said))
		if d.Exit == 137 {
			c.Topics |= cause.OwnLimit
		}
	}
	return &c
}

// executorsUnstarted is about executors that have not started for the same reason.
func executorsUnstarted(n, of int, first End) cause.Cause {
	d := ExecutorsUnstarted{N: n, Of: of, Said: first.Message, Fault: startFault(first.Message)}
	c := unstartable(d.Fault)
	c.Role, c.Subject = cause.ExecutorRole, first.Pod
	c.At, c.Trust = first.At, first.Trust
	c.Topics = ofMemory(namesMemory(d.Said))
	c.Detail = d
	return c
}
