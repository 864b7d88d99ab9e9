package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Rejection is a pod that the kubelet did not take although it was assigned to its node: status.reason OutOfcpu, NodeAffinity and the like
// (kubernetes pkg/kubelet/lifecycle/predicate.go@v1.36.3). It never ran.
type Rejection struct{ Removal }

// Mechanism names what was found.
func (Rejection) Mechanism() cause.ID { return "rejected" }

func driverRejected(v *View, p *corev1.Pod, end End) cause.Cause {
	d := Rejection{v.removed(p, end)}
	d.Reason = p.Status.Reason
	c := v.endedBy(end, d, 0)
	c.Class = cause.Scheduling
	return c
}
