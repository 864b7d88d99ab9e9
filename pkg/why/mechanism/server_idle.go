package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Server is which server of Spark the driver is, where it was submitted like a program, by its main class; empty: it is none
// (sbin/start-connect-server.sh and sbin/start-thriftserver.sh of apache/spark@v4.0.0).
func (v *View) Server() string {
	switch v.Spec.MainClass {
	case "org.apache.spark.sql.connect.service.SparkConnectServer":
		return "Spark Connect server"
	case "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2":
		return "Thrift server"
	default:
		return ""
	}
}

// ServerIdle is a server without a query, whose executors dynamic allocation removed for that. A job that gets no executors looks alike: it
// has one at work.
type ServerIdle struct {
	Server string
	Since  time.Duration // its last job finished
}

// Mechanism names it.
func (ServerIdle) Mechanism() cause.ID { return "server-idle" }

// idleServer finds a server that waits for its clients.
func idleServer(v *View) (cause.Cause, bool) {
	w := &v.Work
	waits := w.Seen && v.DriverRuns() && v.Running() == 0 && v.Spec.Allocates() && !w.Open && !w.WroteAt.IsZero() && w.Released != ""
	if !waits || v.Server() == "" {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.RunningNormally, Certainty: check.Proven, Role: cause.DriverRole, Subject: Ref(v.Driver), At: w.WroteAt,
		Trust: cause.ByDriverLog, Detail: ServerIdle{Server: v.Server(), Since: v.Now.Sub(w.WroteAt)},
		Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: w.Released, At: w.ReleasedAt}}}, true
}

// SessionClosed is a client of a server that came back after its session was over: the error is of that client alone.
type SessionClosed struct {
	Complaint logs.Complaint
	Timeout   string // that the spec sets; empty: it sets none
}

// Mechanism names it.
func (SessionClosed) Mechanism() cause.ID { return "session-closed" }

// sessionTimeout is CONNECT_SESSION_MANAGER_DEFAULT_SESSION_TIMEOUT (sql/connect/server/src/main/scala/org/apache/spark/sql/connect/config/
// Connect.scala@v4.0.0).
const sessionTimeout = "spark.connect.session.manager.defaultSessionTimeout"

// ClosedSession finds it, where the server runs.
func ClosedSession(v *View, about *cause.Cause) (cause.Cause, bool) {
	c := v.Work.SessionClosed
	if c == nil || about.Class != cause.RunningNormally || !v.IsConnect() && v.Server() == "" {
		return cause.Cause{}, false
	}
	return v.ofWork(about, SessionClosed{Complaint: *c, Timeout: v.Spec.Conf[sessionTimeout]}, c.Line), true
}
