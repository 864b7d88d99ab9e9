package mechanism

import (
	"strings"
	"time"

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

// heldByFinalizers is about an application between two runs.
func heldByFinalizers(v *View) []cause.Cause {
	toStart := v.State == "PENDING_RERUN" || resumes(v)
	if !v.applicationStays() || !toStart || !inTheWay(v) {
		return nil
	}
	p, at := v.Driver, v.Driver.DeletionTimestamp.UTC()
	return []cause.Cause{{Class: cause.Configuration, Role: cause.DriverRole, Subject: Ref(p), Trust: cause.ByPod, At: at,
		Detail: HeldByFinalizers{Resumes: resumes(v), Ago: v.Now.Sub(at), Finalizers: p.Finalizers},
		Evidence: []cause.Proof{{Object: Ref(p), Field: "metadata.finalizers", Value: strings.Join(p.Finalizers, ", "), At: at},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}}}
}

// inTheWay reports whether the driver pod of the last run is held after its grace period.
func inTheWay(v *View) bool {
	p := v.Driver
	return p != nil && p.DeletionTimestamp != nil && len(p.Finalizers) > 0 && v.Now.After(p.DeletionTimestamp.Time)
}
