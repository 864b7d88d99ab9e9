package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// StatusBehind is a status of a SparkConnect that its pod contradicts for minutes: the operator writes it at every change of the pod. It
// watches the pods of servers (internal/controller/sparkconnect/reconciler.go@v2.5.2).
type StatusBehind struct {
	State string // that it says
	Gone  bool   // there is no server pod
	Pod   string // its name
	Since time.Duration
}

// Mechanism names it.
func (StatusBehind) Mechanism() cause.ID { return "status-behind" }

// lags is how long a status may lag behind.
const lags = 5 * time.Minute

func statusBehind(v *View) []cause.Cause {
	if v.Application == nil || v.State == "" || v.mayMiss("pods") {
		return nil
	}
	behind := StatusBehind{State: v.State, Gone: v.Driver == nil, Pod: v.AppRef().Name + serverSuffix}
	c := cause.Cause{Class: cause.ObserverMissed, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: v.State}}}
	if behind.Gone {
		if v.State != "Ready" {
			return nil
		}
		c.Detail = behind
		return []cause.Cause{c}
	}
	up := v.serverUp()
	ready := condition(v.Driver, corev1.PodReady)
	switch {
	case ready == nil || ready.LastTransitionTime.IsZero() || v.Now.Sub(ready.LastTransitionTime.Time) <= lags:
		return nil
	case v.State == "NotReady" && up:
		c.Evidence = append(c.Evidence, cause.Proof{Object: Ref(v.Driver), Field: "status.conditions[Ready]", Value: "True",
			At: ready.LastTransitionTime.UTC()})
	case v.State == "Ready" && !up && ready.Status != corev1.ConditionTrue:
		c.Effect = true // why the server is not up is the cause
	default:
		return nil
	}
	behind.Since = v.Now.Sub(ready.LastTransitionTime.Time)
	c.Detail = behind
	return []cause.Cause{c}
}
