package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LivenessProbe is a driver that the kubelet killed because the liveness probe of its template failed: its last event about health says so,
// and another that it was killed. Its exit code alone looks like a deletion.
type LivenessProbe struct {
	Code int
	Says string // by the kubelet
}

// Mechanism names what was found.
func (LivenessProbe) Mechanism() cause.ID { return "liveness-probe" }

func livenessProbe(v *View, d *exited) *cause.Cause {
	unhealthy := v.eventsOn("Pod", d.pod.Name, "Unhealthy")
	if len(unhealthy) == 0 || len(v.eventsOn("Pod", d.pod.Name, "Killing")) == 0 || d.end.Code <= 128 {
		return nil
	}
	e := unhealthy[len(unhealthy)-1]
	if failedProbe(e.Message) != LivenessFails {
		return nil
	}
	return &cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Certainty: check.Proven, Topics: cause.OwnLimit,
		Detail: LivenessProbe{Code: d.end.Code, Says: e.Message}, Subject: d.end.Pod, At: d.end.At, Trust: cause.ByEvent,
		Evidence: append(d.seen, cause.Proof{Object: d.end.Pod, Field: "event Unhealthy", Value: e.Message, At: e.Last})}
}
