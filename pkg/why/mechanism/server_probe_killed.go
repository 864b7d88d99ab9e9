package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerProbeKilled is a server that the kubelet ends because a probe of the template fails: an event says that the probe failed, another
// that it killed the container, and the exit code is that of a signal. A readiness probe ends nothing.
type ServerProbeKilled struct {
	Liveness bool // else it is the startup probe
	Code     int
	Said     string // by the kubelet
	Port     string // that the server opens
}

// Mechanism names it.
func (ServerProbeKilled) Mechanism() cause.ID { return "server-probe-killed" }

func serverProbeKilled(v *View, p *corev1.Pod, end End) (cause.Cause, bool) {
	killing := v.eventsOn("Pod", p.Name, "Killing")
	for _, e := range v.eventsOn("Pod", p.Name, "Unhealthy") {
		probe := failedProbe(e.Message)
		if probe != LivenessFails && probe != StartupFails || len(killing) == 0 || end.Code <= 128 {
			continue
		}
		killed := ServerProbeKilled{Liveness: probe == LivenessFails, Code: end.Code, Said: e.Message, Port: v.grpcPort()}
		c := cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Certainty: check.Proven, Trust: cause.ByEvent, Subject: end.Pod,
			At: end.At, Detail: killed,
			Evidence: []cause.Proof{end.Proof, {Object: end.Pod, Field: "event Unhealthy", Value: e.Message, At: e.Last}}}
		if killed.Liveness {
			c.Topics = cause.OwnLimit
		}
		return c, true
	}
	return cause.Cause{}, false
}
