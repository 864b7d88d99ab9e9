package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LivenessProbe is a driver, or a server of Spark Connect, that the kubelet killed because the liveness or startup probe of its template
// failed: its last event about health says so, and another that it was killed. Its exit code alone looks like a deletion. A readiness
// probe ends nothing. The reasons are in pkg/kubelet/events/event.go@v1.36.3.
type LivenessProbe struct {
	Server  bool // it was the server of Spark Connect, not a driver
	Startup bool // else it is the liveness probe
	Code    int
	Says    string // by the kubelet
	Port    string // that a server opens
}

// Mechanism names what was found.
func (LivenessProbe) Mechanism() cause.ID { return "liveness-probe" }

func livenessProbe(v *View, d *exited) *cause.Cause {
	unhealthy := slices.DeleteFunc(v.eventsOn("Pod", d.pod.Name, "Unhealthy"), func(e app.Event) bool {
		probe := failedProbe(e.Message)
		return probe != LivenessFails && probe != StartupFails
	})
	if len(unhealthy) == 0 || len(v.eventsOn("Pod", d.pod.Name, "Killing")) == 0 || d.end.Code <= 128 {
		return nil
	}
	e := unhealthy[len(unhealthy)-1]
	found := LivenessProbe{Server: v.IsConnect(), Startup: failedProbe(e.Message) == StartupFails, Code: d.end.Code, Says: e.Message}
	c := cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Certainty: check.Proven, Subject: d.end.Pod, At: d.end.At,
		Trust: cause.ByEvent, Evidence: append(d.seen, cause.Proof{Object: d.end.Pod, Field: "event Unhealthy", Value: e.Message, At: e.Last})}
	if found.Server {
		found.Port = v.grpcPort()
	}
	if !found.Startup {
		c.Topics = cause.OwnLimit
	}
	c.Detail = found
	return &c
}
