package mechanism

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerServes is a server whose pod is ready. That it listens is known by its log or its readiness probe; without a probe Ready says only
// that its container runs.
type ServerServes struct {
	Running, Asked  int // executors; 0 asked: the spec does not say how many
	Up              time.Duration
	Listens, Probed bool
	Follow          bool         // it started a moment ago, and has no executors yet
	Pod             snapshot.Ref // of the server
	Container, Port string       // of the server
	// Restarts is how often it restarted, and Last how it ended the last time.
	Restarts int
	Last     EndReason
}

// Mechanism names it.
func (ServerServes) Mechanism() cause.ID { return "server-serves" }

// serving is about a server that is up and has its executors.
func serving(v *View) []cause.Cause {
	if !v.serverUp() {
		return nil
	}
	p := v.Driver
	line, listens := v.listens()
	up := v.Now.Sub(v.serverStart())
	serves := ServerServes{Running: v.Running(), Asked: v.Spec.Asked(), Up: up, Listens: listens, Probed: probed(v), Pod: Ref(p),
		Container: app.MainName(p), Port: v.grpcPort()}
	if end, ended := v.lastEnd(); ended {
		serves.Restarts, serves.Last = int(app.Container(p).RestartCount), end.Why
	}
	c := cause.Cause{Class: cause.RunningNormally, Role: cause.ExecutorRole, Certainty: check.Likely, Trust: cause.ByPod,
		Subject: v.AppRef(), At: v.serverStart(), Evidence: []cause.Proof{{Object: Ref(p), Field: "status.conditions[Ready]", Value: "True"},
			{Object: v.AppRef(), Field: "status.state", Value: v.State}}}
	if serves.Listens {
		c.Evidence = append(c.Evidence, line)
	}
	if _, lately := v.restarted(); (serves.Listens || serves.Probed) && !lately { // why it ended was not seen
		c.Certainty = check.Proven
	}
	if n := serves.Running; n < serves.Asked {
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		switch {
		case n == 0 && up < settled/2:
			c.Class, serves.Follow = cause.RunningNormally, true
		case n == 0:
			c.Class, c.Effect = cause.Unknown, true
		case v.starting() && 2*n >= serves.Asked:
			c.Class = cause.RunningNormally
		}
	}
	c.Detail = serves
	return []cause.Cause{c}
}

// serverUp reports whether the server's pod is ready. The operator's state Ready says no more (#2994).
func (v *View) serverUp() bool {
	if !v.DriverRuns() || v.Driver.DeletionTimestamp != nil {
		return false
	}
	if _, down := v.serverEnd(); down {
		return false
	}
	return isTrue(condition(v.Driver, corev1.PodReady))
}

// listens is the line by which the process that runs now says that it listens, if one was read.
func (v *View) listens() (cause.Proof, bool) {
	if v.Work.Listens == "" {
		return cause.Proof{}, false
	}
	return cause.Proof{Object: Ref(v.Driver), Field: v.logField(), Value: v.Work.Listens}, true
}

// Serves reports whether the server is ready and said in its log that it listens: what the log complains of besides is about queries.
func (v *View) Serves() bool {
	if !v.IsConnect() || !v.serverUp() {
		return false
	}
	_, listens := v.listens()
	return listens
}

// probed reports whether readiness of the pod means more than that the container runs.
func probed(v *View) bool {
	for _, c := range v.Driver.Spec.Containers {
		if c.Name == app.MainName(v.Driver) {
			return c.ReadinessProbe != nil
		}
	}
	return false
}

// DefaultPort is that of Connect.CONNECT_GRPC_BINDING_PORT (sql/connect/server .../connect/config/Connect.scala@v4.0.0), which the
// operator's Service forwards whatever the setting says (mutateServerService in internal/controller/sparkconnect/reconciler.go@v2.5.2,
// #2967).
const (
	DefaultPort = "15002"
	PortSetting = "spark.connect.grpc.binding.port"
)

func (v *View) grpcPort() string { return cmp.Or(v.Spec.Conf[PortSetting], DefaultPort) }
