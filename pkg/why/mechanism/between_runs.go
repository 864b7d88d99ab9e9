package mechanism

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// HeldByFinalizers is the driver pod of the last run that its finalizers keep after its grace period, and that is in the way of the next
// one. The operator goes on when it is gone (validateSparkResourceDeletion, internal/controller/sparkapplication/controller.go@v2.5.2);
// deletionTimestamp is the end of the grace period (kubernetes.io/docs/concepts/overview/working-with-objects/finalizers).
type HeldByFinalizers struct {
	Resumes    bool // a suspended application; else the next run is to start
	Ago        time.Duration
	Finalizers []string
}

// Mechanism names what was found.
func (HeldByFinalizers) Mechanism() cause.ID { return "held-by-finalizers" }

// DeletionRefused is a driver pod that the operator cannot delete, as it does to suspend an application: only its log says why.
type DeletionRefused struct {
	Tries int
}

// Mechanism names what was found.
func (DeletionRefused) Mechanism() cause.ID { return "deletion-refused" }

// between is about an application between two runs, or before it is suspended.
func between(v *View) []cause.Cause {
	if v.Application == nil || v.Application.GetDeletionTimestamp() != nil {
		return nil
	}
	switch {
	case v.State == "SUSPENDING" && v.notSuspended() > 0:
		return []cause.Cause{deletionRefused(v)}
	case v.State == "PENDING_RERUN" || v.resumes():
		return inTheWay(v)
	default:
		return nil
	}
}

// resumes reports whether the operator is to start the application again.
func (v *View) resumes() bool { return v.State == "SUSPENDED" && !v.suspended() }

func inTheWay(v *View) []cause.Cause {
	p := v.Driver
	if p == nil || p.DeletionTimestamp == nil || len(p.Finalizers) == 0 || !v.Now.After(p.DeletionTimestamp.Time) {
		return nil
	}
	at := p.DeletionTimestamp.UTC()
	return []cause.Cause{{Class: cause.Configuration, Role: cause.DriverRole, Subject: podRef(p), Trust: cause.ByPod, At: at,
		Detail: HeldByFinalizers{Resumes: v.resumes(), Ago: v.Now.Sub(at), Finalizers: p.Finalizers},
		Evidence: []cause.Proof{{Object: podRef(p), Field: "metadata.finalizers", Value: strings.Join(p.Finalizers, ", "), At: at},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}}}
}

// notSuspended is how often the operator has tried to suspend an application whose driver pod nothing has deleted; 0: it may still do
// so. It records an event at each try, and tries until it succeeds (reconcileSuspendingSparkApplication).
func (v *View) notSuspended() int {
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

func deletionRefused(v *View) cause.Cause {
	tries := v.notSuspended()
	return cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Subject: podRef(v.Driver),
		Trust: cause.ByEvent, Detail: DeletionRefused{Tries: tries},
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "event SparkApplicationSuspending", Value: fmt.Sprintf("%d times", tries)},
			{Object: podRef(v.Driver), Field: "metadata.deletionTimestamp", Value: "not set"}}}
}
