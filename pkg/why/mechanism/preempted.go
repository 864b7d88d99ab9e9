package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Preemption is a pod that made room for one of higher priority. The scheduler leaves the condition DisruptionTarget at it with a reason of
// its own, by which it differs from an eviction through the API (kubernetes staging/src/k8s.io/api/core/v1/types.go@v1.36.3).
type Preemption struct {
	Server bool   // it was the server of Spark Connect, not a driver
	Lost   Lost   // executors; zero: it was the driver
	Class  string // priorityClassName of the role in the spec; empty: none
	Says   string // by the scheduler
}

// Mechanism names what was found.
func (Preemption) Mechanism() cause.ID { return "preempted" }

func driverPreempted(v *View, p *corev1.Pod, end End) cause.Cause {
	return v.endedBy(end, preemption(v, "driver", cmp.Or(end.Message, strings.TrimSpace(p.Status.Message))), 0)
}

func gonePreempted(v *View, e app.Event, pod string) cause.Cause {
	return v.goneBy(e, pod, preemption(v, "driver", e.Message), 0)
}

func preemption(v *View, role, says string) Preemption {
	return Preemption{Server: v.IsConnect() && role == "driver", Class: v.Spec.Role(role).PriorityClassName, Says: says}
}
