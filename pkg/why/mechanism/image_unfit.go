package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ImageUnfit is an image that filled the disk of a node when its layers were unpacked there, after which the kubelet evicted the pod that
// it was for: layers lie on the node's disk, and count in what the kubelet evicts for (content/en/docs/concepts/scheduling-eviction/
// node-pressure-eviction.md of kubernetes/website). A driver that ran, and filled the disk itself, looks alike by its eviction.
type ImageUnfit struct {
	Image string
	Node  string
	Disk  resource.Quantity // of the node, with all that is on it; zero: not known
	Size  resource.Quantity // of the image, by another node, which has it (status.images); zero: none that was seen has
}

// pulled matches the image that a kubelet could not pull (pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3).
var pulled = lazyregexp.New(`^Failed to pull image "([^"]+)"`)

// imageUnfit is why a pod was evicted for the disk of its node before it ran; nil: it ran, or its image was not at fault.
func (v *View) imageUnfit(pod, says string) (*ImageUnfit, []cause.Proof) {
	if ShortageOf(says) != DiskShortage || v.mainRan(pod) {
		return nil, nil
	}
	for _, e := range slices.Backward(v.eventsOn("Pod", pod, "Failed")) {
		m := pulled.FindStringSubmatch(e.Message)
		if m == nil || pullFault("", e.Message) != NoRoomForImage {
			continue
		}
		d := &ImageUnfit{Image: m[1], Node: v.nodeOf(pod)}
		seen := []cause.Proof{{Object: v.podNamed(pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last.UTC()}}
		if n := v.Node(d.Node); n != nil {
			d.Disk = n.Status.Capacity[corev1.ResourceEphemeralStorage]
			seen = append(seen, cause.Proof{Object: nodeRef(n), Field: "status.capacity.ephemeral-storage", Value: d.Disk.String()})
		}
		for i := range v.Nodes {
			for _, image := range v.Nodes[i].Status.Images {
				if v.Nodes[i].Name != d.Node && slices.Contains(image.Names, d.Image) {
					d.Size = *resource.NewQuantity(image.SizeBytes, resource.BinarySI)
				}
			}
		}
		return d, seen
	}
	return nil, nil
}

// mainRan reports whether the container of Spark in a pod was started, by the pod or, where it is gone, its events.
func (v *View) mainRan(pod string) bool {
	p := v.Pod(pod)
	if p == nil {
		return len(v.eventsOn("Pod", pod, "Started")) > 0
	}
	c, t := app.Container(p), app.Termination(p)
	return c != nil && c.State.Running != nil || t != nil && t.StartedAt.Unix() > 0
}
