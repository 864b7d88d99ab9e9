package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// PodPruned is a driver that Argo CD deleted as one that Git does not have. It may track objects by a label (docs of Argo CD, Resource
// Tracking), and the operator gives the driver all labels of its SparkApplication (driverConfOption in
// internal/controller/sparkapplication/submission.go@v2.5.2). An object with an owner is not pruned; the operator's webhook adds that one
// (addOwnerReference in internal/webhook/sparkpod_defaulter.go@v2.5.2). A sync that pruned a driver of that name before this run looks
// alike, and so does one that skipped it.
type PodPruned struct {
	By        snapshot.Ref // the Application of Argo CD
	At        time.Time    // when its sync was over
	Automated bool
	Label     string // of the SparkApplication, by which Argo CD took the driver for its own; empty: it has none
}

// instanceLabel is the label by which Argo CD tracks objects, unless argocd-cm names another.
const instanceLabel = "app.kubernetes.io/instance"

// Mechanism names it.
func (PodPruned) Mechanism() cause.ID { return "pod-pruned" }

func podPruned(v *View) []cause.Cause {
	if v.Application == nil || v.Submitted.IsZero() || v.Driver != nil && v.Driver.DeletionTimestamp == nil {
		return nil
	}
	for i := range v.Pruned {
		p := &v.Pruned[i]
		if p.Pod != v.DriverName || !p.At.After(v.Submitted) || p.Began.After(v.Ended.Add(clockSkew)) {
			continue
		}
		d := PodPruned{By: p.By, At: p.At.UTC(), Automated: p.Automated}
		pod := v.podNamed(p.Pod)
		seen := []cause.Proof{{Object: p.By, Field: "status.operationState.syncResult", Value: "pod " + p.Pod + " Pruned",
			At: p.At.UTC()}}
		if v.Application.Labels[instanceLabel] == p.By.Name {
			d.Label = instanceLabel
			seen = append(seen, cause.Proof{Object: v.AppRef(), Field: "metadata.labels[" + instanceLabel + "]", Value: p.By.Name})
		}
		return []cause.Cause{{Class: cause.StoppedByUser, Role: cause.DriverRole, Certainty: check.Proven, Trust: cause.ByCondition, Subject: pod,
			At: p.At.UTC(), Detail: d, Evidence: seen}}
	}
	return nil
}
