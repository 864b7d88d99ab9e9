package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func sandboxUnmade(d *mechanism.SandboxUnmade) Phrase {
	begin, said := who(d.Waiting)+cannot(d.Waiting)+": ", sentence(d.Said)
	switch d.Fault {
	case mechanism.NoRuntimeHandler:
		return Phrase{Says: begin + fmt.Sprintf("node %s has no container runtime %q, which its RuntimeClass asks for: %s", d.Node, d.Handler,
			said), Do: []command.Command{command.Do("install the runtime on the nodes, select nodes that have it, or leave out runtimeClassName")}}
	case mechanism.NoSandboxImage:
		return Phrase{Says: begin + fmt.Sprintf("node %s cannot pull the image of sandboxes: %s", d.Node, said),
			Do: []command.Command{command.Do("make the registry of the sandbox image reachable from node %s, or load the image there", d.Node)}}
	case mechanism.NoAddresses:
		return noAddresses(d, begin)
	case mechanism.PluginLimited:
		return pluginLimited(d)
	case mechanism.NoNetwork:
		return noNetwork(d, begin)
	default:
		return Phrase{Says: begin + fmt.Sprintf("node %s, to which it was assigned, cannot make its sandbox: %s", d.Node, said),
			Do: []command.Command{command.Do("look at the container runtime of node %s; cordon the node and delete the pod, so that another "+
				"takes its place", d.Node)}}
	}
}

// waitForNetwork is that pods wait for what others of their node got.
func waitForNetwork(w mechanism.Waiting) string {
	switch {
	case w.Over:
		return who(w) + cannot(w) + " for want of a network"
	case w.Who.Role == cause.ExecutorRole && w.Who.N > 1:
		return who(w) + " wait for their network"
	default:
		return who(w) + " waits for its network"
	}
}

// noNetwork is about a plugin of the network that failed, for a reason of its own.
func noNetwork(d *mechanism.SandboxUnmade, begin string) Phrase {
	says, plugin := begin+"its network cannot be set up", "the network plugin"
	if d.Beside {
		says = waitForNetwork(d.Waiting)
	}
	if d.Plugin != "" {
		plugin += " " + d.Plugin
		says += fmt.Sprintf(": network plugin %s of node %s fails: %s", d.Plugin, d.Node, sentence(d.Error))
	} else {
		says += ": " + sentence(d.Said)
	}
	if d.Beside {
		says += "; another pod of the node started meanwhile"
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("check %s of node %s", plugin, d.Node)}}
}

// pluginLimited is about a plugin that asks its agent too often. Spark asks for so many executors at a time
// (spark.kubernetes.allocation.batch.size, once each batch.delay, in docs/running-on-kubernetes.md@v4.0.0).
func pluginLimited(d *mechanism.SandboxUnmade) Phrase {
	says := fmt.Sprintf("%s: node %s starts more pods at a time than network plugin %s serves (429 Too Many Requests), and the kubelet tries "+
		"again", waitForNetwork(d.Waiting), d.Node, d.Plugin)
	if d.Beside {
		says += "; another pod started there meanwhile"
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("wait; to avoid it, start fewer executors at a time " +
		"(spark.kubernetes.allocation.batch.size and .batch.delay) or on more nodes, or raise the limit of the plugin (of Cilium: " +
		"api-rate-limit)")}}
}
