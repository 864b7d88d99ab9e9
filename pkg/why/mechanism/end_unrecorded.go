package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unrecorded is an application that counts as running long after its driver ended well, and its pod with it.
type Unrecorded struct {
	State   string // empty: none
	For     time.Duration
	Log     string // the last that the operator's log says of it; empty: nothing was seen
	Forbids bool   // its schedule starts no further run until then (concurrencyPolicy Forbid)
}

// Mechanism names what was found.
func (Unrecorded) Mechanism() cause.ID { return "end-unrecorded" }

func endUnrecorded(v *View) []cause.Cause {
	end, good := v.goodEnd()
	if !good || !unrecorded(v, end.at) {
		return nil
	}
	d, seen := Unrecorded{State: v.State, For: v.Now.Sub(end.at)}, end.seen
	if n := len(v.OperatorSaid); n > 0 {
		said := v.OperatorSaid[n-1]
		d.Log = said.Text
		seen = append(seen, cause.Proof{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At})
	}
	d.Forbids = v.Schedule != nil && v.Schedule.ConcurrencyPolicy == "Forbid"
	return []cause.Cause{{Class: cause.ObserverMissed, Role: cause.OperatorRole, Certainty: check.Likely, Detail: d, Subject: v.AppRef(),
		Trust: end.trust, At: end.at, Evidence: seen}}
}

// recordsWithin is how long after the end of a driver an operator that works has recorded it: it hears of each change of a pod
// (newSparkPodEventFilter in internal/controller/sparkapplication/controller.go@v2.5.1; 1.x lists them every 30 s, too: resync-interval in
// main.go@v1beta2-1.3.8-3.1.1).
const recordsWithin = 5 * time.Minute

// unrecorded reports whether the operator has missed the end of a driver.
func unrecorded(v *View, end time.Time) bool {
	unknown := v.State == "" && v.AppRef().Kind == "SparkApplication" && v.AppRef().Group() == snapshot.SparkGroup
	countsAsRunning := v.State == "RUNNING" || v.State == "SUBMITTED" || unknown
	succeeded := v.Driver != nil && v.Driver.Status.Phase == corev1.PodSucceeded
	return countsAsRunning && succeeded && !end.IsZero() && v.Now.Sub(end) >= recordsWithin
}
