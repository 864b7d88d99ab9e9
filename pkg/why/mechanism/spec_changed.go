package mechanism

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SpecChanged is a run that its user stops by changing the spec, which makes the operator delete the driver and submit anew (state
// INVALIDATING, internal/controller/sparkapplication/controller.go@v2.5.2). An application waits for its next run after a failure, too, and
// its spec may have been changed long before.
type SpecChanged struct {
	Generation int64
	Left       string // pod of the driver that is not deleted, as the operator should have at once; empty: it is
	Writers    []Writer
}

// Mechanism names what was found.
func (SpecChanged) Mechanism() cause.ID { return "spec-changed" }

// NoNewRun is a run that an operator took down for a change of the spec, after which it began no other.
type NoNewRun struct {
	Changes int
	Last    time.Time // of them
	Writers []Writer
}

// Mechanism names what was found.
func (NoNewRun) Mechanism() cause.ID { return "no-new-run" }

// specChanged is about a change of the spec while the application ran.
func specChanged(v *View) []cause.Cause {
	if v.Application == nil || v.Application.GetDeletionTimestamp() != nil {
		return nil
	}
	waits := v.State == "PENDING_RERUN" && v.Message == ""
	c := cause.Cause{Class: cause.StoppedByUser, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByCondition,
		Subject: v.AppRef()}
	state := cause.Proof{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}
	writers := v.writers()
	if changed := v.processed(); waits && v.Driver == nil && changed != nil {
		c.At, c.Trust, c.Role = changed.Last.UTC(), cause.ByEvent, cause.OperatorRole
		c.Detail = NoNewRun{Changes: changed.Count, Last: c.At, Writers: writers}
		c.Evidence = v.writtenBy(writers, cause.Proof{Object: v.AppRef(), Field: "event " + changed.Reason, At: c.At,
			Value: fmt.Sprintf("%s (%d times)", changed.Message, changed.Count)}, state)
		return []cause.Cause{c}
	}
	if v.State != "INVALIDATING" && !(waits && v.changedLately()) {
		return nil
	}
	d := SpecChanged{Generation: v.Application.GetGeneration(), Writers: writers}
	seen := []cause.Proof{{Object: v.AppRef(), Field: "metadata.generation", Value: fmt.Sprint(d.Generation)}, state}
	if p := v.Driver; p != nil && p.DeletionTimestamp == nil && v.State == "INVALIDATING" {
		// It deletes the pod once, at once, and does not try again (reconcileInvalidatingSparkApplication).
		d.Left = p.Name
		seen = append(seen, cause.Proof{Object: podRef(p), Field: "metadata.deletionTimestamp", Value: "not set"})
	}
	c.Detail, c.Evidence = d, v.writtenBy(writers, seen...)
	return []cause.Cause{c}
}

// lately is how long after a change of the spec the run before it is still being taken away: a pod's grace period, and some.
const lately = 10 * time.Minute

// changedLately reports whether another than the operator wrote the spec a moment ago, or the driver of the run before is going away.
func (v *View) changedLately() bool {
	if v.Application.GetGeneration() < 2 {
		return false
	}
	if v.Driver != nil && v.Driver.DeletionTimestamp != nil && v.Driver.Status.Phase == corev1.PodRunning {
		return true
	}
	return slices.ContainsFunc(v.Application.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return written(m) && v.Now.Sub(m.Time.Time) < lately
	})
}

// processed is the event that the operator took a run down for a change of its spec; nil: there is none, or a run ended by itself after it
// (recordSparkApplicationEvent and handleUpdate in pkg/controller/sparkapplication/controller.go@v1beta2-1.3.8-3.1.1).
func (v *View) processed() *app.Event {
	var changed *app.Event
	for i := range v.Events {
		e := &v.Events[i]
		if e.Involved.Kind != "SparkApplication" || e.Involved.Name != v.AppRef().Name {
			continue
		}
		switch e.Reason {
		case "SparkApplicationSpecUpdateProcessed":
			changed = e
		case "SparkDriverFailed", "SparkDriverCompleted", "SparkApplicationFailed", "SparkApplicationCompleted":
			if changed != nil && e.Last.After(changed.Last) {
				changed = nil
			}
		}
	}
	return changed
}
