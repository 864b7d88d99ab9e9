package mechanism

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DeletionRefused is a driver pod that the operator cannot delete, as it does to suspend an application: only its log says why. It deletes
// the driver to suspend (reconcileSuspendingSparkApplication in internal/controller/sparkapplication/controller.go@v2.5.2).
type DeletionRefused struct {
	Tries int
}

// Mechanism names what was found.
func (DeletionRefused) Mechanism() cause.ID { return "deletion-refused" }

// notSuspended is how often the operator has tried to suspend an application whose driver pod nothing has deleted; 0: it may still do
// so. It records an event at each try, and tries until it succeeds (reconcileSuspendingSparkApplication).
func notSuspended(v *View) int {
	if p := v.Driver; p == nil || p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
		return 0
	}
	tries := 0
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkApplicationSuspending") {
		if !e.First.Before(v.Submitted) { // else it also counts tries of an earlier run
			tries += e.Count
		}
	}
	if tries < 3 {
		return 0
	}
	return tries
}

func deletionRefused(v *View) []cause.Cause {
	tries := notSuspended(v)
	if !v.applicationStays() || v.State != "SUSPENDING" || tries == 0 {
		return nil
	}
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Subject: Ref(v.Driver),
		Trust: cause.ByEvent, Detail: DeletionRefused{Tries: tries},
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "event SparkApplicationSuspending", Value: fmt.Sprintf("%d times", tries)},
			{Object: Ref(v.Driver), Field: "metadata.deletionTimestamp", Value: "not set"}}}}
}
