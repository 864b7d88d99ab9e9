package mechanism

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheTimedOut is a SparkApplication of the Apache Spark Kubernetes Operator that this operator gave up because its driver had not
// started, or was not ready, in time. Its state says so, and where the object was not seen, an event, whose reason is that state
// (apache/spark-kubernetes-operator spark-operator/src/main/java/org/apache/spark/k8s/operator/reconciler/observers/
// AppDriverTimeoutObserver.java@1.0.0). A driver that is still there tells itself what it waited for: then this only follows from it. One
// that ran and whose executors were too few looks alike, and has another state.
type ApacheTimedOut struct {
	State  string
	Ready  bool          // it had started, and was not ready in time
	Within time.Duration // that it had; 0: the spec was not seen
	Pull   time.Duration // of the image of a driver; 0: no event tells
	Whole  time.Duration // from the creation of that driver to the end of the pull
	Says   string        // by the kubelet or the scheduler, of what the driver waited for last; empty: nothing tells
}

// Mechanism names it.
func (ApacheTimedOut) Mechanism() cause.ID { return "apache-timed-out" }

// pulledIn matches how long a pull took (pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3).
var pulledIn = lazyregexp.New(`^Successfully pulled image \S+ in ([\d.hms]+) `)

func apacheTimedOut(v *View) []cause.Cause {
	found := ApacheTimedOut{}
	var c cause.Cause
	if t, is := v.apacheOutcome(app.DriverStartTimedOut, app.DriverReadyTimedOut); is {
		found.State, found.Within = t.State, v.Apache.DriverStart
		if found.Ready = t.State == app.DriverReadyTimedOut; found.Ready {
			found.Within = v.Apache.DriverReady
		}
		c = v.apacheSays(t, cause.Configuration, nil)
		c.Effect = v.Driver != nil
		found.Says = waitedFor(t)
	} else if gave, is := v.apacheGaveUp(); is {
		found.State, found.Ready = gave.Reason, gave.Reason == app.DriverReadyTimedOut
		c = cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Subject: v.AppRef(), At: gave.Last, Trust: cause.ByOperator,
			Evidence: []cause.Proof{{Object: gave.Involved, Field: "event " + gave.Reason, Value: gave.Message, At: gave.Last}}}
	} else {
		return nil
	}
	c.Certainty = check.Likely
	if p, pulled := v.longestPull(&found); pulled && !found.Ready {
		c.Class = cause.Image
		c.Evidence = append(c.Evidence, p)
	}
	c.Detail = found
	return []cause.Cause{c}
}

// apacheGaveUp is the event by which that operator gave up a driver of an object that was not seen.
func (v *View) apacheGaveUp() (gave app.Event, is bool) {
	if v.Driver != nil || v.Apache != nil {
		return app.Event{}, false
	}
	for _, e := range v.eventsOn("SparkApplication", v.Subject.Name, app.DriverStartTimedOut, app.DriverReadyTimedOut) {
		if e.Involved.Group() == snapshot.ApacheGroup {
			gave, is = e, true
		}
	}
	return gave, is
}

// waitedFor is what the status of a driver says that it waited for, when the operator saw it last.
func waitedFor(t app.Transition) string {
	if t.Driver == nil {
		return ""
	}
	for _, s := range slices.Concat(t.Driver.InitContainerStatuses, t.Driver.ContainerStatuses) {
		if w := s.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
			return stated(w.Reason, w.Message)
		}
	}
	for _, c := range t.Driver.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" {
			return stated(c.Reason, c.Message)
		}
	}
	return ""
}

// longestPull notes the pull of the image of a driver that took longest.
func (v *View) longestPull(found *ApacheTimedOut) (proof cause.Proof, pulled bool) {
	began := map[string]time.Time{} // by the name of the pod
	for i := range v.Events {
		e := &v.Events[i]
		if e.Involved.Kind != "Pod" || !app.PodNameOf(e.Involved.Name).Driver {
			continue
		}
		if at := began[e.Involved.Name]; at.IsZero() || e.First.Before(at) {
			began[e.Involved.Name] = e.First
		}
	}
	for i := range v.Events {
		e := &v.Events[i]
		m := pulledIn.FindStringSubmatch(e.Message)
		if e.Reason != "Pulled" || m == nil || began[e.Involved.Name].IsZero() {
			continue
		}
		if took, err := time.ParseDuration(m[1]); err == nil && took > found.Pull {
			found.Pull, found.Whole, pulled = took, e.Last.Sub(began[e.Involved.Name]), true
			proof = cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}
		}
	}
	return proof, pulled
}
