package mechanism

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Completed is an application whose driver did its work.
type Completed struct {
	Exited   bool     // its driver was seen to exit with 0; else the operator says so
	Sidecars []string // of the driver that still run, so that its pod counts as running
	Attempt  int      // which one it was
	Lost     int      // executors on the way
	Why      string   // the first of them ended, as End has it
}

// Mechanism names what was found.
func (Completed) Mechanism() cause.ID { return "completed" }

// MarkedFailed is an application that the operator marked as failed although its driver exited with 0.
type MarkedFailed struct {
	State string
	Says  string // what the operator recorded
}

// Mechanism names what was found.
func (MarkedFailed) Mechanism() cause.ID { return "marked-failed" }

// Unrecorded is an application that counts as running long after its driver ended well, and its pod with it.
type Unrecorded struct {
	State   string // empty: none
	For     time.Duration
	Log     string // the last that the operator's log says of it; empty: nothing was seen
	Forbids bool   // its schedule starts no further run until then (concurrencyPolicy Forbid)
}

// Mechanism names what was found.
func (Unrecorded) Mechanism() cause.ID { return "end-unrecorded" }

// succeeded reports whether the run came to a good end: the operator says so, or the driver's container exited with 0.
func (v *View) succeeded() bool {
	if v.Driver != nil {
		if c := Container(v.Driver); c != nil && c.State.Terminated != nil {
			return c.State.Terminated.ExitCode == 0 && c.State.Terminated.Reason != StatusUnknown
		}
		if v.driverRuns() {
			return false
		}
	}
	return v.State == "COMPLETED" || v.State == "SUCCEEDING"
}

// finished is about an application whose driver did its work, whatever its pod and the operator make of it.
func finished(v *View) []cause.Cause {
	if !v.succeeded() || v.State == "PENDING_RERUN" && len(inTheWay(v)) > 0 {
		return nil
	}
	c := cause.Cause{Class: cause.Succeeded, Role: cause.DriverRole, Subject: v.AppRef(), Trust: cause.ByOperator, At: v.DriverEnd().UTC(),
		Evidence: v.stateProof()}
	d := Completed{Attempt: v.Attempts, Lost: len(v.Ends)}
	if v.Driver != nil {
		if s := Container(v.Driver); s != nil && s.State.Terminated != nil {
			d.Exited, c.Trust, c.At = true, cause.ByContainer, s.State.Terminated.FinishedAt.UTC()
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(v.Driver), Field: "status.containerStatuses[" + s.Name + "]",
				Value: "Completed (exit code 0)", At: c.At})
		}
		for _, s := range v.Driver.Status.ContainerStatuses {
			if s.State.Running != nil && s.Name != MainName(v.Driver) {
				d.Sidecars = append(d.Sidecars, s.Name)
			}
		}
	}
	switch {
	case v.State == "FAILED" || v.State == "FAILING":
		c.Class, c.Role, c.Detail = cause.ObserverMissed, cause.OperatorRole, MarkedFailed{State: v.State, Says: v.Message}
	case v.unrecorded(c.At):
		c.Class, c.Role, c.Certainty, c.Detail = cause.ObserverMissed, cause.OperatorRole, check.Likely, v.unrecordedEnd(c.At)
		if n := len(v.OperatorSaid); n > 0 {
			said := v.OperatorSaid[n-1]
			c.Evidence = append(c.Evidence, cause.Proof{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At})
		}
	default:
		if d.Lost > 0 {
			d.Why, c.Role, c.Topics = v.Ends[0].Why, cause.ExecutorRole, topicsOf(v.Ends[0].Why)
		}
		c.Detail = d
	}
	return []cause.Cause{c}
}

// topicsOf is what an end is about.
func topicsOf(why string) cause.Topics {
	switch why {
	case OOMKilled:
		return cause.OOMKilled | cause.OwnLimit
	case JVMMemory:
		return cause.Memory | cause.Exit52
	default:
		return 0
	}
}

// stateProof is the state that the operator wrote; none if no operator did.
func (v *View) stateProof() []cause.Proof {
	if v.State == "" {
		return nil
	}
	return []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
}

// recordsWithin is how long after the end of a driver an operator that works has recorded it: it hears of each change of a pod
// (newSparkPodEventFilter in internal/controller/sparkapplication/controller.go@v2.5.1; 1.x lists them every 30 s, too: resync-interval in
// main.go@v1beta2-1.3.8-3.1.1).
const recordsWithin = 5 * time.Minute

// unrecorded reports whether the operator has missed the end of a driver.
func (v *View) unrecorded(end time.Time) bool {
	unknown := v.State == "" && v.AppRef().Kind == "SparkApplication" && strings.HasPrefix(v.AppRef().APIVersion, "sparkoperator.")
	return (v.State == "RUNNING" || v.State == "SUBMITTED" || unknown) && v.Driver != nil && v.Driver.Status.Phase == corev1.PodSucceeded &&
		!end.IsZero() && v.Now.Sub(end) >= recordsWithin
}

func (v *View) unrecordedEnd(end time.Time) Unrecorded {
	d := Unrecorded{State: v.State, For: v.Now.Sub(end)}
	if n := len(v.OperatorSaid); n > 0 {
		d.Log = v.OperatorSaid[n-1].Text
	}
	if v.Schedule != nil {
		policy, _, _ := unstructured.NestedString(v.Schedule.Object, "spec", "concurrencyPolicy")
		d.Forbids = policy == "Forbid"
	}
	return d
}
