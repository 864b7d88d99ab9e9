package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NoNewRun is a run that an operator took down for a change of the spec, after which it began no other.
type NoNewRun struct {
	Changes int
	Last    time.Time // of them
	Writers []Writer
}

// Mechanism names what was found.
func (NoNewRun) Mechanism() cause.ID { return "no-new-run" }

func noNewRun(v *View) []cause.Cause {
	changed := restarted(v)
	if changed == nil || v.Application.DeletionTimestamp != nil {
		return nil
	}
	at, writers := changed.Last.UTC(), v.writers()
	return []cause.Cause{{Class: cause.StoppedByUser, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByEvent,
		Subject: v.AppRef(), At: at, Detail: NoNewRun{Changes: changed.Count, Last: at, Writers: writers},
		Evidence: v.writtenBy(writers, cause.Proof{Object: v.AppRef(), Field: "event " + changed.Reason, At: at,
			Value: changed.Text()},
			cause.Proof{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State})}}
}

// restarted is the event that the operator took a run down for a change of its spec, where it has begun no other; nil: it did not.
func restarted(v *View) *app.Event {
	if v.Application == nil || !v.betweenRuns() || v.Driver != nil {
		return nil
	}
	return processed(v)
}

// processed is the event that the operator took a run down for a change of its spec; nil: there is none, or a run ended by itself after it
// (recordSparkApplicationEvent and handleUpdate in pkg/controller/sparkapplication/controller.go@v1beta2-1.3.8-3.1.1).
func processed(v *View) *app.Event {
	var changed *app.Event
	for i := range v.Events {
		e := &v.Events[i]
		if e.Involved.Kind != "SparkApplication" || e.Involved.Name != v.AppRef().Name {
			continue
		}
		switch e.Reason {
		case "SparkApplicationSpecUpdateProcessed":
			changed = e
		case "SparkDriverFailed", "SparkDriverCompleted", "SparkApplicationFailed", "SparkApplicationCompleted":
			if changed != nil && e.Last.After(changed.Last) {
				changed = nil
			}
		}
	}
	return changed
}
