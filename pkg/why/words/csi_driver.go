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

// nodePlugin is the DaemonSet of a driver, where it is known (charts/aws-ebs-csi-driver/templates/_node.tpl of
// kubernetes-sigs/aws-ebs-csi-driver@v1.44.0, charts/aws-efs-csi-driver/templates/node-daemonset.yaml of
// kubernetes-sigs/aws-efs-csi-driver@v2.1.0, charts/latest/azuredisk-csi-driver of kubernetes-sigs/azuredisk-csi-driver@v1.33.0).
func nodePlugin(driver string) string {
	name := map[string]string{
		"ebs.csi.aws.com": "ebs-csi-node", "efs.csi.aws.com": "efs-csi-node", "disk.csi.azure.com": "csi-azuredisk-node",
	}[driver]
	switch {
	case name != "":
		return "DaemonSet " + name
	case driver != "":
		return "the DaemonSet of " + driver
	default:
		return "the driver's DaemonSet"
	}
}
