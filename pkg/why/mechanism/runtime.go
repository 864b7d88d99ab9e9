package mechanism

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// startError is about a container that the runtime could not start (reasons of kubernetes
// pkg/kubelet/kuberuntime/kuberuntime_container.go@v1.36.3 and containerd).
func startError(p *corev1.Pod, t *corev1.ContainerStateTerminated) *cause.Cause {
	if t.Reason != "StartError" && t.Reason != "ContainerCannotRun" && t.Reason != "RunContainerError" {
		return nil
	}
	c := &cause.Cause{Class: cause.Image, Subject: podRef(p),
		Message: fmt.Sprintf("the container of the driver could not be started (%s, exit code %d): %s", t.Reason, t.ExitCode,
			sentence(t.Message))}
	if mountFails().MatchString(t.Message) {
		mountFailed(p, t.Message, c)
		return c
	}
	if strings.Contains(t.Message, "exec format error") {
		c.Message = fmt.Sprintf("image %s was built for another CPU architecture than its node has (exec format error)", MainImage(p))
	}
	unstartable(t.Message, c)
	return c
}

// unstartable is what the words of a container runtime about a container that it could not start mean: a fault of the image, of a setting
// or of the node (libcontainer/{process_linux,standard_init_linux}.go of opencontainers/runc@v1.2.0,
// internal/cri/server/container_start.go of containerd/containerd@v2.0.0).
func unstartable(message string, c *cause.Cause) {
	contains := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(message, w) {
				return true
			}
		}
		return false
	}
	c.Class = cause.Image
	switch {
	case contains("exec format error"):
		c.Next = []command.Command{command.Do("build the image for the architecture of the nodes, or select nodes of its own by " +
			"kubernetes.io/arch")}
	case contains("executable file not found", "no such file or directory"):
		c.Next = []command.Command{command.Do("use an image that has the command: the entrypoint of Spark for Kubernetes is /opt/entrypoint.sh")}
	case contains("permission denied"):
		c.Next = []command.Command{command.Do("make the file that the message names executable in the image, for the user that the pod runs as")}
	case contains("OOM-killed"):
		c.Class = cause.ClusterKilled
		c.Next = []command.Command{command.Do("raise the memory limit of the container: its first process did not fit")}
	case contains("no space left on device"):
		c.Class = cause.Storage
		c.Next = []command.Command{command.Do("free the disk of the node, or run on another node")}
	case contains("context canceled", "deadline exceeded", "cannot allocate memory", "Resource temporarily unavailable"):
		c.Class, c.Certainty, c.Effect = cause.Unknown, check.Likely, true // its node or the runtime there, which the message does not tell apart
		c.Next = []command.Command{command.Do("run it again, and look at the node and its container runtime if it fails there once more")}
	default:
		c.Certainty = check.Likely
	}
}

// noRuntime matches what containerd says of a RuntimeClass whose handler a node lacks
// (internal/cri/server/sandbox_run.go and internal/cri/config/config.go of containerd/containerd@v2.0.0).
func noRuntime() *regexp.Regexp { return regexp.MustCompile(`no runtime for "([^"]+)" is configured`) }

// ofNetwork matches what tells that a sandbox fails for want of a network: the words of the runtime around those of a plugin
// (internal/cri/server/sandbox_run.go of containerd/containerd@v2.0.0, server/sandbox_network.go of cri-o/cri-o@v1.31.0).
func ofNetwork() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bnetwork|\bcni\b|\bplugin type=|\bIP address|\bIPAM\b`)
}

// unsandboxed is about a pod whose sandbox, the network and the namespaces that its containers share, the runtime could not make.
func unsandboxed(p *corev1.Pod, who, message string, c *cause.Cause) {
	handler := noRuntime().FindStringSubmatch(message)
	switch {
	case handler != nil:
		c.Class = cause.Configuration
		c.Message = fmt.Sprintf("%s cannot start: node %s has no container runtime %q, which its RuntimeClass asks for: %s", who, p.Spec.NodeName,
			handler[1], sentence(message))
		c.Next = []command.Command{command.Do("install the runtime on the nodes, select nodes that have it, or leave out runtimeClassName")}
	case strings.Contains(message, "failed to get sandbox image"):
		c.Class = cause.Image
		c.Message = fmt.Sprintf("%s cannot start: node %s cannot pull the image of sandboxes: %s", who, p.Spec.NodeName, sentence(message))
		c.Next = []command.Command{command.Do("make the registry of the sandbox image reachable from node %s, or load the image there",
			p.Spec.NodeName)}
	case ofNetwork().MatchString(message):
		c.Class = cause.Network
		c.Message = fmt.Sprintf("%s cannot start: its network cannot be set up: %s", who, sentence(message))
		c.Next = []command.Command{command.Do("check the network plugin of node %s", p.Spec.NodeName)}
	default:
		c.Class, c.Certainty = cause.Scheduling, check.Likely
		c.Message = fmt.Sprintf("%s cannot start: node %s, to which it was assigned, cannot make its sandbox: %s", who, p.Spec.NodeName,
			sentence(message))
		c.Next = []command.Command{command.Do("look at the container runtime of node %s; cordon the node and delete the pod, so that another "+
			"takes its place", p.Spec.NodeName)}
	}
}
