package mechanism

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// ScheduleRuns is how the runs of a schedule went, as it recorded them.
type ScheduleRuns struct {
	Failed, Succeeded int
	Next              time.Time // zero: none is due
	NextIn            time.Duration
}

// RunsOf returns how the runs of the application's schedule went; nil: it has none.
func RunsOf(v *View) *ScheduleRuns {
	s := v.Schedule
	if s == nil {
		return nil
	}
	failed, _, _ := unstructured.NestedStringSlice(s.Object, "status", "pastFailedRunNames")
	good, _, _ := unstructured.NestedStringSlice(s.Object, "status", "pastSuccessfulRunNames")
	next, _, _ := unstructured.NestedString(s.Object, "status", "nextRun")
	out := &ScheduleRuns{Failed: len(failed), Succeeded: len(good)}
	if at, err := time.Parse(time.RFC3339, next); err == nil && at.After(v.Now) {
		out.Next, out.NextIn = at, at.Sub(v.Now)
	}
	return out
}

// WhichRun is the run of a schedule that a case file is about.
type WhichRun struct {
	Name        string
	Failed      bool
	Newest      string // a newer run; empty: it is the newest
	NewestState string
	NewestAge   time.Duration
	Recovered   string // the last run that failed, since which others completed; empty: none
}

// RunOf returns which run of its schedule an application is; nil: no schedule was asked about.
func RunOf(v *View) *WhichRun {
	if v.Schedule == nil || v.Subject.Kind != v.Schedule.GetKind() || v.Application == nil {
		return nil
	}
	out := &WhichRun{Name: v.Application.GetName(), Failed: app.RunFailed(v.Application), Recovered: v.Recovered}
	if v.Newest != nil {
		out.Newest = v.Newest.GetName()
		out.NewestState, _, _ = unstructured.NestedString(v.Newest.Object, "status", "applicationState", "state")
		created := v.Newest.GetCreationTimestamp()
		out.NewestAge = v.Now.Sub(created.Time)
	}
	return out
}
