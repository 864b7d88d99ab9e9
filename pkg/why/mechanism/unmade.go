package mechanism

import (
	"cmp"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerNotSeen is a server of which the status tells, and whose pod the input does not hold.
type ServerNotSeen struct{ State, Pod string }

// Mechanism names it.
func (ServerNotSeen) Mechanism() cause.ID { return "server-not-seen" }

// ServerUncreated is a server pod that is not there for a reason that only the operator knows.
type ServerUncreated struct {
	Pod       string
	ConfigMap string // that the operator made first; empty: it is not there
	Gone      bool   // there was one: the status tells of it
	Age       time.Duration
	Operator  snapshot.Ref // a pod of its controller; zero: none was seen
}

// Mechanism names it.
func (ServerUncreated) Mechanism() cause.ID { return "server-uncreated" }

// unmade is about a SparkConnect of which the operator has not made all parts: its ConfigMap, then the server pod, then the Service, and
// only then its status. An error ends it before the status, and is in the operator's log alone: there are no events (Reconcile in
// internal/controller/sparkconnect/reconciler.go@v2.5.2, #2790, #2967).
func unmade(v *View) []cause.Cause {
	a := v.Application
	made := v.Driver != nil && v.State != ""
	if made || !v.applicationStays() {
		return nil
	}
	if v.Driver != nil {
		if c, is := serviceUnnamable(v); is {
			return []cause.Cause{c}
		}
	}
	if c, said := operatorCannotCreate(v); said {
		return []cause.Cause{c}
	}
	age := v.Now.Sub(a.CreationTimestamp.Time)
	c := cause.Cause{Class: cause.Unknown, Role: cause.OperatorRole, Certainty: check.Likely, Effect: true, Trust: cause.ByOperator,
		Subject: v.AppRef()}
	if age < takenUp && v.Driver == nil {
		c.Class, c.Effect = cause.RunningNormally, false
		c.Detail = StatusUnwritten{Age: age, Early: true}
		return []cause.Cause{c}
	}
	if v.Driver == nil && v.State != "" && v.mayMiss("pods") {
		c.At, c.Detail = v.Since, ServerNotSeen{State: v.State, Pod: serverName(v)}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: v.State}}
		return []cause.Cause{c}
	}
	if v.Driver != nil {
		return nil
	}
	if refused, is := serverRefused(v); is {
		return []cause.Cause{refused}
	}
	return []cause.Cause{serverUncreated(v, c, age)}
}

func serverUncreated(v *View, c cause.Cause, age time.Duration) cause.Cause {
	uncreated := ServerUncreated{Pod: serverName(v), Gone: v.State != "", Age: age}
	c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: cmp.Or(v.State, "not set")}}
	if conf := v.AppRef().Name + "-conf"; slices.Contains(app.NamesOf(v.ConfigMaps), conf) {
		uncreated.ConfigMap = conf
		c.Evidence = append(c.Evidence, cause.Proof{Object: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: v.AppRef().Namespace,
			Name: conf}, Field: "metadata.name", Value: conf})
	}
	if len(v.Operator) > 0 {
		uncreated.Operator = Ref(&v.Operator[0])
	}
	c.Detail = uncreated
	return c
}

func serverName(v *View) string {
	return cmp.Or(v.ServerPod, v.AppRef().Name+serverSuffix)
}
