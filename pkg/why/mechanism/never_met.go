package mechanism

import (
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NeverMet is a step of an Argo Workflow that still waits for an application which completed: no condition of the step is met by the state
// in which the operator leaves it. A condition on anything else than the state looks alike, and so does a step that has not looked again
// yet.
type NeverMet struct {
	app.Awaits

	State string // in which the application stays
}

// Mechanism names it.
func (NeverMet) Mechanism() cause.ID { return "never-met" }

// stateField is where the operator writes the state. It stays COMPLETED or FAILED; SUCCEEDING and FAILING last until the next
// reconciliation (api/v1beta2/sparkapplication_types.go and internal/controller/sparkapplication/controller.go@v2.5.2; the same in
// pkg/controller/sparkapplication/controller.go@v1beta2-1.3.8-3.1.1).
const stateField = "status.applicationState.state"

// looksEach is far more than the time after which a step looks again (RESOURCE_STATE_CHECK_INTERVAL, 5 seconds, in workflow/executor/
// resource.go of argoproj/argo-workflows@v3.6.0, WaitResource).
const looksEach = 2 * time.Minute

// StillAwaited says which step waits in vain for an application that completed.
func StillAwaited(v *View, about *cause.Cause) (cause.Cause, bool) {
	if _, is := about.Detail.(Completed); !is || v.State != "COMPLETED" || v.Now.Sub(v.Ended) < looksEach {
		return cause.Cause{}, false
	}
	for i := range v.Awaits {
		a := &v.Awaits[i]
		met, known := meets(a, v.State)
		if met || !known {
			continue
		}
		step := "status.nodes[" + a.Step + "]"
		return cause.Cause{Class: cause.Configuration, Certainty: check.Proven, Role: cause.DriverRole, Subject: a.Workflow, At: a.Started.UTC(),
			Trust: cause.BySpec, Detail: NeverMet{Awaits: *a, State: v.State}, Evidence: []cause.Proof{
				{Object: a.Workflow, Field: "templates[" + a.Of + "].successCondition", Value: a.Success},
				{Object: a.Workflow, Field: step, Value: "Running", At: a.Started.UTC()},
			}}, true
	}
	return cause.Cause{}, false
}

// meets evaluates the conditions of a step as Argo does: a requirement of the failure condition that matches fails it, and all of the
// success condition must match (matchConditions of the same file). known: they ask for nothing but the state.
func meets(a *app.Awaits, state string) (met, known bool) {
	if a.Success == "" {
		return true, true // without it, a step does not wait
	}
	success, knownSuccess := matching(a.Success, state)
	failure, knownFailure := matching(a.Failure, state)
	for _, one := range failure {
		met = met || one
	}
	all := true
	for _, one := range success {
		all = all && one
	}
	return met || all, knownSuccess && knownFailure
}

func matching(condition, state string) (each []bool, known bool) {
	if condition == "" {
		return nil, true
	}
	selector, err := labels.Parse(condition)
	if err != nil {
		return nil, false
	}
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		if r.Key() != stateField {
			return nil, false
		}
		each = append(each, r.Matches(labels.Set{stateField: state}))
	}
	return each, true
}
