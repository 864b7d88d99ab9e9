package mechanism

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ExecutorsFailing are executors that fail one after the other for a reason that is not recorded. The operator counts them in
// status.executorState (internal/controller/sparkapplication/controller.go@v2.5.2). One that fails now and then is what spot nodes do: it
// takes more than that.
type ExecutorsFailing struct {
	Failed int
	Asked  int
	Keeps  bool // Spark was told to leave their pods
}

// Mechanism names what was found.
func (ExecutorsFailing) Mechanism() cause.ID { return "executors-failing" }

func executorsFailing(v *View) []cause.Cause {
	if !v.runsNow() || !v.Failing() || v.KeepsUp() {
		return nil
	}
	failed := v.failed()
	return []cause.Cause{{Class: cause.Unknown, Role: cause.ExecutorRole, Certainty: check.Likely, Effect: true, Subject: v.AppRef(),
		Trust: cause.ByOperator, Detail: ExecutorsFailing{Failed: failed, Asked: v.Spec.Asked(), Keeps: v.KeepsExecutors()},
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.executorState", Value: fmt.Sprintf("%d FAILED", failed)}}}}
}

// FailureTold is what the log of one of the executors tells that failed.
func FailureTold(v *View) (cause.Cause, bool) { return logs.OfFailedExecutors(v.Evidence) }
