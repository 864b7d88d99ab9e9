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

// DriverNameTaken is a submission that was refused because a pod had the driver's name. That pod was there before this submission, or it
// would be its driver.
type DriverNameTaken struct {
	Name      string
	Fixed     bool       // the spec names it, for every run
	Holder    *PodHolder // nil: the pod was not seen
	Submitted time.Time  // this submission
}

// Mechanism names it.
func (DriverNameTaken) Mechanism() cause.ID { return "driver-name-taken" }

// PodHolder is a pod that stands in the way of another of its name, and whose it is by its labels (pkg/common/spark.go@v2.5.2).
type PodHolder struct {
	Pod         snapshot.Ref
	Application string // empty: it has no SparkApplication
	Own         bool   // of the same application as the other
	Submission  string // its id; empty: no label tells
	Phase       corev1.PodPhase
	Created     time.Time
}

func driverNameTaken(v *View, recorded cause.Proof) cause.Cause {
	taken := DriverNameTaken{Submitted: v.Submitted, Fixed: v.Spec.Driver.PodName != "",
		Name: cmp.Or(v.Spec.Driver.PodName, v.DriverName, app.DriverOf(v.AppRef().Name))}
	c := cause.Cause{Class: cause.Submission, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), At: v.Submitted.UTC(), Evidence: []cause.Proof{recorded}}
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Name != taken.Name || v.Submitted.IsZero() || p.CreationTimestamp.IsZero() || p.CreationTimestamp.After(v.Submitted) {
			continue
		}
		taken.Holder, c.Certainty = holderOf(v, p), check.Proven
		c.Evidence = append(c.Evidence, cause.Proof{Object: Ref(p), Field: "metadata.creationTimestamp",
			Value: p.CreationTimestamp.UTC().Format(time.TimeOnly), At: p.CreationTimestamp.UTC()})
	}
	c.Detail = taken
	return c
}

func holderOf(v *View, p *corev1.Pod) *PodHolder {
	const app, submission = "sparkoperator.k8s.io/app-name", "sparkoperator.k8s.io/submission-id"
	return &PodHolder{Pod: Ref(p), Application: p.Labels[app], Own: p.Labels[app] == v.AppRef().Name, Submission: p.Labels[submission],
		Phase: p.Status.Phase, Created: p.CreationTimestamp.Time}
}
