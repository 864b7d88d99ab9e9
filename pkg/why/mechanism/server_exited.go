package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerLog is where a process of the server that ended wrote its log: in the container of the subject.
type ServerLog struct {
	Container string
	Previous  bool // of the container before the last restart
}

// ServerEndUntold is a server that ended, of which no container says how.
type ServerEndUntold struct{ ServerLog }

// Mechanism names it.
func (ServerEndUntold) Mechanism() cause.ID { return "server-end-untold" }

// ServerEntrypointMissing is an image without the script that starts the server.
type ServerEntrypointMissing struct {
	ServerLog
	Code  int
	Image string
	Field string // of the spec, that names the image
}

// Mechanism names it.
func (ServerEntrypointMissing) Mechanism() cause.ID { return "server-entrypoint-missing" }

// ServerClassMissing is an image without the class of the server. Before 4.0 the server is a package of its
// own (docs/spark-connect-overview.md@v3.5.5 and @v4.0.0).
type ServerClassMissing struct {
	ServerLog
	Image        string
	SparkVersion string // by the spec
	Apart        bool   // in that one, the server is a package of its own
}

// Mechanism names it.
func (ServerClassMissing) Mechanism() cause.ID { return "server-class-missing" }

// serverExited is about a server that its own process ended, as far as the pod says.
func serverExited(v *View, p *corev1.Pod, end End) cause.Cause {
	t := app.Termination(p)
	c := cause.Cause{Class: cause.Unknown, Role: cause.DriverRole, Certainty: check.Likely, Subject: end.Pod, At: end.At, Effect: true,
		Evidence: []cause.Proof{end.Proof}}
	log := ServerLog{Container: app.MainName(p)}
	if s := app.Container(p); s != nil {
		log.Previous = s.State.Terminated == nil
	}
	if t == nil {
		c.Detail = ServerEndUntold{log}
		return c
	}
	if start := startError(v, p, t); start != nil {
		return unstartedServer(*start, c)
	}
	ended := &exited{pod: p, end: end, as: t, seen: c.Evidence}
	if killed := livenessProbe(v, ended); killed != nil {
		return *killed
	}
	switch MeaningOf(int(t.ExitCode), t.Reason) {
	case CommandMissing:
		c.Class, c.Trust = cause.Image, cause.BySpec
		c.Effect = false
		c.Detail = ServerEntrypointMissing{ServerLog: log, Code: int(t.ExitCode), Image: app.MainImage(p), Field: v.imageField(p)}
	case ClassMissing:
		c.Class, c.Trust = cause.Dependency, cause.BySpec
		c.Effect = false
		c.Detail = ServerClassMissing{ServerLog: log, Image: app.MainImage(p), SparkVersion: v.Spec.SparkVersion,
			Apart: app.ReleaseOf(v.Spec.SparkVersion).Major == 3}
	default:
		c = exitCode(ended)
		c.Detail = ExitCode{Server: true, Log: log, Code: end.Code, Reason: t.Reason, Says: strings.TrimSpace(t.Message)}
	}
	return c
}

// unstartedServer is a server whose container could not be started.
func unstartedServer(start, ended cause.Cause) cause.Cause {
	start.Role, start.At = cause.DriverRole, ended.At
	start.Evidence = append(ended.Evidence, start.Evidence...)
	return start
}
