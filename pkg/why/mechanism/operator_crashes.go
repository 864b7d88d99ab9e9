package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OperatorCrashes is an operator of which every pod that was seen crashes again and again, so that nothing submits an application without
// a status. One pod that does not crash is enough to submit it: then it is another fault. Only the controller submits
// (internal/controller/sparkapplication/controller.go@v2.5.2).
type OperatorCrashes struct {
	Container string    // of the pod that is the subject
	Last      *LastExit // how it ended before; nil: its status does not say
}

// LastExit is how a container ended the last time.
type LastExit struct {
	Code   int
	Reason string
}

// Mechanism names it.
func (OperatorCrashes) Mechanism() cause.ID { return "operator-crashes" }

func operatorCrashes(v *View) (cause.Cause, bool) {
	c := cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByContainer}
	for i := range v.Operator {
		p := &v.Operator[i]
		at := slices.IndexFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
			return s.State.Waiting != nil && s.State.Waiting.Reason == "CrashLoopBackOff"
		})
		if at < 0 {
			return cause.Cause{}, false
		}
		s := p.Status.ContainerStatuses[at]
		crashes := OperatorCrashes{Container: s.Name}
		if t := s.LastTerminationState.Terminated; t != nil {
			crashes.Last = &LastExit{Code: int(t.ExitCode), Reason: t.Reason}
		}
		c.Subject, c.Detail = Ref(p), crashes
		c.Evidence = append(c.Evidence, cause.Proof{Object: Ref(p), Field: "status.containerStatuses[" + s.Name + "].state.waiting",
			Value: s.State.Waiting.Reason + ": " + s.State.Waiting.Message})
	}
	return c, len(c.Evidence) > 0
}
