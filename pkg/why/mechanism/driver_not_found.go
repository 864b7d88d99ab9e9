package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DriverNotFound is an application that the operator marked as failed because the driver's pod was gone when it looked. The job may have
// succeeded: it did where its executors ended in order. An operator that looks too soon does not know of the pod yet.
type DriverNotFound struct {
	State   string
	TooSoon bool          // it was given up before anything of it can have run
	After   time.Duration // the submission, where it was too soon
	Stopped time.Duration // before the operator looked, the executors had all been stopped; 0: nothing tells
}

// Mechanism names what was found.
func (DriverNotFound) Mechanism() cause.ID { return "driver-not-found" }

func driverNotFound(v *View, pod snapshot.Ref, seen []cause.Proof) cause.Cause {
	d := DriverNotFound{State: v.State, TooSoon: unlookedFor(v, pod.Name)}
	over, stopped := v.over()
	if stopped {
		seen = append(seen, cause.Proof{Object: over.Involved, Field: "event Killing", Value: over.Message, At: over.Last})
	}
	if len(v.killing(pod)) > 0 {
		return goneDeleted(v, pod, 0, seen)
	}
	c := cause.Cause{Class: cause.Unknown, Effect: true, Role: cause.DriverRole, Certainty: check.Likely, Subject: pod,
		Topics: cause.Gone, Trust: cause.ByOperator, At: v.Ended.UTC(), Evidence: seen}
	switch {
	case d.TooSoon:
		c.Topics = 0
		d.After = v.Ended.Sub(v.Submitted)
	case stopped:
		d.Stopped = v.Ended.Sub(over.Last)
		c.Role = cause.ExecutorRole // it is they that tell
	}
	inOrder := v.ended("COMPLETED") && !v.ended("FAILED") // Spark ended its executors itself
	if d.TooSoon || stopped || inOrder {
		c.Class, c.Effect = cause.ObserverMissed, false
	}
	c.Detail = d
	return c
}

// over is the last event of a run that was over by the events of its executors, where the operator looked more than a minute later: it
// missed the end.
func (v *View) over() (last app.Event, over bool) {
	stopped := map[string]bool{}
	for _, e := range v.Events {
		if app.PodNameOf(e.Involved.Name).Executor != "" && e.Involved.Kind == "Pod" && e.Reason == "Killing" {
			stopped[e.Involved.Name] = true
			if e.Last.After(last.Last) {
				last = e
			}
		}
	}
	return last, len(stopped) > 0 && len(stopped) >= len(v.Names()) && v.Ended.Sub(last.Last) >= time.Minute
}

// unlookedFor reports whether a driver was given up so soon that nothing of it can have run.
func unlookedFor(v *View, name string) bool {
	after := v.Ended.Sub(v.Submitted)
	return !v.Submitted.IsZero() && after >= 0 && after <= spark.LookedAtOnce && len(v.Names()) == 0 &&
		len(v.eventsOn("Pod", name, "Started", "Created", "Pulled", "Killing")) == 0
}
