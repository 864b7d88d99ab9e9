package mechanism

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SpecChanged is a run that its user stops by changing the spec, which makes the operator delete the driver and submit again (state
// INVALIDATING, internal/controller/sparkapplication/controller.go@v2.5.2). An application waits for its next run after a failure, too, and
// its spec may have been changed long before.
type SpecChanged struct {
	Generation int64
	Left       string // pod of the driver that is not deleted, as the operator should have at once; empty: it is
	Writers    []Writer
	Sync       Sync // by which Argo CD applied it; zero: it is not known to
}

// Sync is a deployment of Argo CD. Without a time, only the Application is known that applies the SparkApplication.
type Sync struct {
	Of        snapshot.Ref
	At        time.Time
	Automated bool
	Changed   []app.Parameter // of Helm, since the one before
}

// syncOf is the last deployment of Argo CD, where it is of the time at which the driver of the run began to go away.
func syncOf(v *View) (Sync, []cause.Proof) {
	of := v.Deployed
	if of.Name == "" {
		return Sync{}, nil
	}
	out := Sync{Of: of.Ref}
	if v.Driver == nil || v.Driver.DeletionTimestamp == nil || of.At.IsZero() || of.Began.IsZero() {
		return out, nil
	}
	grace := time.Duration(0)
	if seconds := v.Driver.DeletionGracePeriodSeconds; seconds != nil {
		grace = time.Duration(*seconds) * time.Second
	}
	// A deleted object gets the time by which it must be gone (staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go of
	// kubernetes@v1.36.3).
	deleted := v.Driver.DeletionTimestamp.Add(-grace)
	if deleted.Before(of.Began) || deleted.Sub(of.At) > clockSkew {
		return out, nil
	}
	out.At, out.Automated, out.Changed = of.At.UTC(), of.Automated, of.Changed
	return out, []cause.Proof{{Object: of.Ref, Field: "status.history", Value: "deployed " + out.At.Format(time.RFC3339), At: out.At}}
}

// Mechanism names what was found.
func (SpecChanged) Mechanism() cause.ID { return "spec-changed" }

// specChanged is about a change of the spec while the application ran.
func specChanged(v *View) []cause.Cause {
	if !v.applicationStays() || restarted(v) != nil {
		return nil
	}
	changedBetween := v.betweenRuns() && changedLately(v)
	if v.State != "INVALIDATING" && !changedBetween {
		return nil
	}
	d := SpecChanged{Generation: v.Application.Generation, Writers: v.writers()}
	seen := []cause.Proof{{Object: v.AppRef(), Field: "metadata.generation", Value: fmt.Sprint(d.Generation)},
		{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
	sync, proofs := syncOf(v)
	d.Sync, seen = sync, append(seen, proofs...)
	if p := v.Driver; p != nil && p.DeletionTimestamp == nil && v.State == "INVALIDATING" {
		// It deletes the pod once, at once, and does not try again (reconcileInvalidatingSparkApplication).
		d.Left = p.Name
		seen = append(seen, cause.Proof{Object: Ref(p), Field: "metadata.deletionTimestamp", Value: "not set"})
	}
	return []cause.Cause{{Class: cause.StoppedByUser, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByCondition,
		Subject: v.AppRef(), Detail: d, Evidence: v.writtenBy(d.Writers, seen...)}}
}

// betweenRuns reports whether the application waits for its next run, and not because the last one failed.
func (v *View) betweenRuns() bool { return v.State == "PENDING_RERUN" && v.Message == "" }

// lately is how long after a change of the spec the run before it is still being taken away: a pod's grace period, and some.
const lately = 10 * time.Minute

// changedLately reports whether another than the operator wrote the spec a moment ago, or the driver of the run before is going away.
func changedLately(v *View) bool {
	if v.Application.Generation < 2 {
		return false
	}
	if v.Driver != nil && v.Driver.DeletionTimestamp != nil && v.Driver.Status.Phase == corev1.PodRunning {
		return true
	}
	return slices.ContainsFunc(v.Application.ManagedFields, func(m metav1.ManagedFieldsEntry) bool {
		return written(m) && v.Now.Sub(m.Time.Time) < lately
	})
}
