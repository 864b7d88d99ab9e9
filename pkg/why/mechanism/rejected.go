package mechanism

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Rejection is a pod that the kubelet did not take although it was assigned to its node: status.reason OutOfcpu, NodeAffinity and the like
// (kubernetes pkg/kubelet/lifecycle/predicate.go@v1.36.3). It never ran.
type Rejection struct {
	Removal

	Shared SharedDevices
	// Device is the resource of a device plugin that the kubelet did not have for the pod; empty: it is about something else.
	Device string
}

// noDevice is what the device manager of a kubelet says where the scheduler counts devices as free that it does not have: the plugin is
// unhealthy, or its books are wrong until the kubelet restarts (kubernetes/kubernetes#130145).
var noDevice = lazyregexp.New(`requested number of devices unavailable for (\S+)\. Requested: \d+, Available: \d+`)

func deviceRefused(says string) string {
	if m := noDevice.FindStringSubmatch(says); m != nil {
		return m[1]
	}
	return ""
}

// SharedDevices is a request for several devices that a plugin shares among pods, of which it gives one to a pod. Zero: it is not that.
type SharedDevices struct {
	Resource string // "nvidia.com/gpu"; empty: the plugin does not name it
	Asks     int
	Setting  string // of Spark, that asks for them; empty: it is not set
}

// sharedOnce is what the plugin answers with failRequestsGreaterThanOne (internal/plugin/server.go of NVIDIA/k8s-device-plugin@01421a2;
// a later wording names no resource).
var sharedOnce = lazyregexp.New(`(?:request for '([^':]+): (\d+)' too large: )?maximum request size for shared resources is 1(?:; found (\d+))?`)

func sharedDevices(v *View, role cause.Role, says string) SharedDevices {
	m := sharedOnce.FindStringSubmatch(says)
	if m == nil {
		return SharedDevices{}
	}
	out := SharedDevices{Resource: m[1]}
	out.Asks, _ = strconv.Atoi(m[2] + m[3])
	if setting := "spark." + string(role) + ".resource.gpu.amount"; v.Spec.Conf[setting] != "" {
		out.Setting = setting
	}
	return out
}

// Mechanism names what was found.
func (Rejection) Mechanism() cause.ID { return "rejected" }

func driverRejected(v *View, p *corev1.Pod, end End) cause.Cause {
	d := Rejection{Removal: v.removed(p, end)}
	d.Reason, d.Shared, d.Device = p.Status.Reason, sharedDevices(v, cause.DriverRole, d.Says), deviceRefused(d.Says)
	c := v.endedBy(end, d, 0)
	c.Class = cause.Scheduling
	return c
}
