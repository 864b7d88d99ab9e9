package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// RunRepeats is an application that the operator runs again after each success, as restartPolicy Always asks for (shouldRetry in
// internal/controller/sparkapplication/controller.go@v2.5.2). A stream that is started again after it failed looks alike: its driver does
// not complete.
type RunRepeats struct {
	Attempt   int // which one it is at
	Completed int // that the operator recorded, as far as events go back
}

// Mechanism names it.
func (RunRepeats) Mechanism() cause.ID { return "run-repeats" }

// fewestRepeats is how many successes are no exception.
const fewestRepeats = 3

func runRepeats(v *View) []cause.Cause {
	if v.Application == nil || v.Spec.RestartPolicy.Type != "Always" {
		return nil
	}
	d := RunRepeats{Attempt: v.Attempts}
	var seen []cause.Proof
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkDriverCompleted") {
		d.Completed += max(1, e.Count)
		seen = append(seen, cause.Proof{Object: v.AppRef(), Field: "event " + e.Reason, Value: e.Text(), At: e.Last})
	}
	if d.Completed < fewestRepeats || d.Attempt <= d.Completed {
		return nil
	}
	seen = append([]cause.Proof{{Object: v.AppRef(), Field: "spec.restartPolicy.type", Value: "Always"}}, seen...)
	return []cause.Cause{{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.BySpec,
		Subject: v.AppRef(), At: seen[len(seen)-1].At, Detail: d, Evidence: seen}}
}
