package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// PastDeadline is a pod that ran longer than the activeDeadlineSeconds of its template: status.reason DeadlineExceeded. It is the kubelet
// that writes it (pkg/kubelet/active_deadline.go@v1.36.3).
type PastDeadline struct {
	Removal

	Seconds int64 // of the driver's pod; 0: it does not say
}

// Mechanism names what was found.
func (PastDeadline) Mechanism() cause.ID { return "deadline-exceeded" }

func driverDeadline(v *View, p *corev1.Pod, end End) cause.Cause {
	d := PastDeadline{Removal: v.removed(p, end)}
	if s := p.Spec.ActiveDeadlineSeconds; s != nil {
		d.Seconds = *s
	}
	return v.endedBy(end, d, cause.OwnLimit)
}
