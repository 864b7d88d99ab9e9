package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// driverAbsent is about a claim for whose node the CSI driver gives no topology.
func driverAbsent(d *mechanism.DriverAbsent) (string, command.Command) {
	driver := "its CSI driver"
	if d.Driver != "" {
		driver = "CSI driver " + d.Driver
	}
	says := fmt.Sprintf("%s does not run on node %s (no topology key found on CSINode)", driver, d.Node)
	plugin := nodePlugin(d.Driver)
	if len(d.Taints) == 0 {
		return says, command.Do("find out why %s has no pod on node %s, or keep the pods off that node; the driver's controller is at work",
			plugin, d.Node).With("kubectl describe csinode %s", d.Node)
	}
	taints := strings.Join(d.Taints, ", ")
	says += fmt.Sprintf(", which has taint %s", taints)
	return says, command.Do("let %s tolerate taint %s (node.tolerateAllTaints or node.tolerations of its chart), or keep the pods off that "+
		"node", plugin, taints).With("kubectl get daemonsets -A")
}

// nodePlugin is the DaemonSet of a driver.
func nodePlugin(driver string) string {
	name := mechanism.PluginName(driver)
	switch {
	case name != "":
		return "DaemonSet " + name
	case driver != "":
		return "the DaemonSet of " + driver
	default:
		return "the driver's DaemonSet"
	}
}

// noNodeDriver is about a volume whose driver the node of the pod does not have.
func noNodeDriver(begin string, d *mechanism.Unregistered) Phrase {
	node, has, there := "its node", "has", "that node"
	switch len(d.Nodes) {
	case 0:
	case 1:
		node, there = "node "+d.Nodes[0], d.Nodes[0]
	default:
		node, has, there = fmt.Sprintf("node %s and %d others", d.Nodes[0], len(d.Nodes)-1), "have", "these nodes"
	}
	why, next := pluginAway(d, there)
	if d.Plugin.Fault == mechanism.PluginUnknown {
		why = " (not registered)" + why
	}
	p := Phrase{Says: begin + fmt.Sprintf("%s %s no CSI driver %s%s", node, has, d.Driver, why), Do: next}
	if len(p.Do) == 0 {
		p.Do = []command.Command{command.Do("see why %s has no pod at work on %s, or keep the pods off there", nodePlugin(d.Driver), there).
			With("kubectl get pods -A -o wide --field-selector spec.nodeName=%s", firstOf(d.Nodes, "NODE"))}
	}
	return p
}

// pluginAway is why the DaemonSet of a driver has no pod at work on a node, and what to do about it.
func pluginAway(d *mechanism.Unregistered, there string) (says string, do []command.Command) {
	set := d.Plugin
	name := fmt.Sprintf("DaemonSet %s/%s", set.Namespace, set.Name)
	describe := func(format string, args ...any) []command.Command {
		return []command.Command{command.Do(format, args...).With("kubectl -n %s describe daemonset %s", set.Namespace, set.Name)}
	}
	switch set.Fault {
	case mechanism.PluginUntolerated:
		taints := strings.Join(set.Taints, ", ")
		return fmt.Sprintf(": %s does not tolerate its taint %s", name, taints),
			describe("let %s tolerate taint %s (tolerations of its node pods), or keep the pods off such nodes", name, taints)
	case mechanism.PluginUnselected:
		return fmt.Sprintf(": %s selects other nodes (%s)", name, set.Selector),
			describe("let %s select %s too, or keep the pods off there", name, there)
	case mechanism.PluginAbsent:
		return fmt.Sprintf(": %s has no pod there", name), describe("see why %s has no pod on %s", name, there)
	case mechanism.PluginEnds:
		return fmt.Sprintf(": container %s of its pod %s/%s there ended (%s, exit code %d, %s)", set.Container, set.Namespace, set.Pod,
				set.Reason, set.Code, restarts(int(set.Restarts))),
			[]command.Command{command.Do("repair pod %s, which serves the driver there", set.Pod).
				With("kubectl -n %s logs %s -c %s --previous", set.Namespace, set.Pod, set.Container)}
	case mechanism.PluginWaits:
		return fmt.Sprintf(": container %s of its pod %s/%s there waits (%s)", set.Container, set.Namespace, set.Pod, set.Reason),
			[]command.Command{command.Do("repair pod %s, which serves the driver there", set.Pod).
				With("kubectl -n %s describe pod %s", set.Namespace, set.Pod)}
	}
	if taints := strings.Join(d.Taints, ", "); taints != "" && set.Pod == "" {
		return ", and has taint " + taints, []command.Command{command.Do("let %s tolerate taint %s, if it does not, or keep the pods off such "+
			"nodes", nodePlugin(d.Driver), taints).With("kubectl get daemonsets -A")}
	}
	return "", nil
}

func firstOf(names []string, otherwise string) string {
	if len(names) == 0 {
		return otherwise
	}
	return names[0]
}
