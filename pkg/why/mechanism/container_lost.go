package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// StatusUnknown is the reason that the kubelet writes for a container which it does not find any more; it makes up the exit code 137
// (convertToAPIContainerStatuses in kubernetes pkg/kubelet/kubelet_pods.go@v1.36.3).
const StatusUnknown = "ContainerStatusUnknown"

// ContainerLost is a driver whose container the kubelet lost, as when the node restarts. Its exit code is not that of a process.
type ContainerLost struct {
	Node string
	Code int
	Says string // by the kubelet
}

// Mechanism names what was found.
func (ContainerLost) Mechanism() cause.ID { return "container-lost" }

func containerLost(_ *View, d *exited) *cause.Cause {
	if d.as.Reason != StatusUnknown {
		return nil
	}
	return d.likely(cause.ClusterKilled, cause.ByContainer, ContainerLost{Node: d.pod.Spec.NodeName, Code: d.end.Code, Says: d.as.Message},
		ofCode(d.end.Code))
}
