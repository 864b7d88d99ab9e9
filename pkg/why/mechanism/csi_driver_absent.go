package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DriverAbsent is a node on which a CSI driver does not run: its node plugin, a DaemonSet, registers it there and gives the topology for
// which a volume is made (pkg/controller/topology.go of kubernetes-csi/external-provisioner@v5.2.0). Why the plugin does not run there was
// not seen; a taint that its DaemonSet does not tolerate is the usual reason, and restarting the controller of the driver helps nothing.
type DriverAbsent struct {
	Node   string   // empty: it is not that
	Driver string   // "ebs.csi.aws.com"; empty: not known
	Taints []string // of the node, without those that Kubernetes sets: "key=value:effect"
}

var noTopologyKey = lazyregexp.New(`no topology key found on CSINode ([\w.-]+)`)

func driverAbsent(v *View, claim *corev1.PersistentVolumeClaim, e *app.Event) (DriverAbsent, []cause.Proof) {
	m := noTopologyKey.FindStringSubmatch(e.Message)
	if m == nil {
		return DriverAbsent{}, nil
	}
	d := DriverAbsent{Node: m[1], Driver: cmp.Or(claim.Annotations["volume.kubernetes.io/storage-provisioner"],
		claim.Annotations["volume.beta.kubernetes.io/storage-provisioner"])}
	if by, _, named := strings.Cut(e.Source, "_"); d.Driver == "" && named {
		d.Driver = by // an external provisioner is DRIVER_POD_UID as a source of events
	}
	node := v.Node(d.Node)
	if node == nil {
		return d, nil
	}
	if d.Taints = lasting(node); len(d.Taints) == 0 {
		return d, nil
	}
	return d, []cause.Proof{{Object: nodeRef(node), Field: "spec.taints", Value: strings.Join(d.Taints, ", ")}}
}
