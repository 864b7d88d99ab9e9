package why

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// Open makes the case file of an application from what is known of it: what mechanisms detect is related, ranked, and said.
func Open(e *app.Evidence) CaseFile {
	v := mechanism.Look(e)
	return open(v, detect(v), terms(v).OfAnswer)
}

func open(v *mechanism.View, found []cause.Cause, say func(*rank.Answer) words.Phrase) CaseFile {
	answers := rank.Rank(v, rank.Relate(v, found))
	rank.Complete(v, &answers[0])
	rank.Beside(v, answers, shown(v, &answers[0]))
	answers = rank.WithoutState(answers)
	notes := spec.Notes(v, &answers[0].Cause, answers[0].RoleOf())
	rank.OnceEach(answers)
	return said(v, answers, notes, say)
}

// shown is what is said of values that stand beside a verdict.
func shown(v *mechanism.View, verdict *rank.Answer) rank.Shown {
	out := rank.Shown{Limit: words.Limit(v.Limit(verdict.RoleOf()))}
	if c := v.Work.Survived; c != nil {
		out.Survived = words.Complaint(c)
	}
	return out
}

// detect finds all causes, those of objects before those of logs.
func detect(v *mechanism.View) []cause.Cause {
	byObjects := mechanism.Find(v)
	known := slices.ContainsFunc(byObjects, func(c cause.Cause) bool {
		return c.Certainty == check.Proven && rank.Stands(&c) && c.Class.Fault()
	})
	found := slices.Concat(byObjects, mechanism.AtWork(v), logs.Causes(v.Evidence, &v.Work.Ending))
	if !known && v.Unsubmitted() {
		for _, c := range logs.FromText(v.Message, v.AppRef(), v.Signatures) { // what spark-submit printed, as the operator quotes it
			if c.Signature != "" {
				c.Role = cause.SubmissionRole
				found = append(found, c)
			}
		}
	}
	return found
}

func stateOf(v *mechanism.View) State {
	s := State{Word: wordOf(v), Attempt: v.Attempts, Since: v.Ended}
	if v.Apache != nil {
		return stateOfApache(v, s)
	}
	begin, end := ran(v)
	switch {
	case !v.Since.IsZero():
		s.Since = v.Since.UTC()
	case v.Ended.IsZero() && (s.Word == string(corev1.PodFailed) || s.Word == string(corev1.PodSucceeded)) && !v.DriverEnd().IsZero():
		s.Since = v.DriverEnd()
	case v.State == "SUSPENDED" && (v.Attempts > 0 || !suspendedSince(v).IsZero()):
		s.Since = suspendedSince(v)
	case v.Ended.IsZero() && !passing(v.State):
		s.Since = begin
	}
	if !begin.IsZero() && end.After(begin) && !neverBegan(v) {
		s.Ran = end.Sub(begin).Round(time.Second)
	}
	if retries, limited := v.Spec.Retries(); limited {
		s.MaxAttempts = retries + 1
	}
	if a := v.Application; a != nil && a.DeletionTimestamp != nil {
		s.Deleted = a.DeletionTimestamp.UTC()
	}
	return s
}

// suspendedSince is when the operator told that it stopped an application, which may have run before; zero: no event tells any more
// (internal/controller/sparkapplication/controller.go@v2.5.2).
func suspendedSince(v *mechanism.View) time.Time {
	var last time.Time
	for _, e := range v.Events {
		if e.Reason == "SparkApplicationSuspended" && e.Involved.Name == v.AppRef().Name && e.Last.After(last) {
			last = e.Last.UTC()
		}
	}
	return last
}

// passing reports whether a state is one of those that lead from one to the next: when an application entered it, its status does not tell
// (api/v1beta2/sparkapplication_types.go@v2.5.2).
func passing(state string) bool {
	return slices.Contains([]string{"INVALIDATING", "PENDING_RERUN", "SUCCEEDING", "FAILING", "SUSPENDING", "RESUMING"}, state)
}

// wordOf is what the operator says, or the pod where there is only that, or why neither does.
func wordOf(v *mechanism.View) string {
	nothing := v.Application == nil && v.Schedule == nil && v.Driver == nil && len(v.Executors) == 0
	ofPodAlone := v.Application == nil && v.Driver != nil
	switch {
	case nothing && v.Partial != nil && v.Partial("sparkapplications"):
		if slices.ContainsFunc(v.Events, func(e app.Event) bool {
			return e.Involved.Name == v.Subject.Name && e.Involved.Group() == snapshot.ApacheGroup
		}) {
			return "NOT_READ" // of another operator
		}
		return "NOT_SEEN" // its object may only be missing from the input
	case nothing:
		return "GONE"
	case v.Application == nil && v.Schedule != nil && v.Subject.Kind == v.Schedule.Kind:
		return v.Schedule.State // no run of it was seen
	case v.State == "" && ofPodAlone:
		return string(v.Driver.Status.Phase)
	default:
		return v.State
	}
}

// neverBegan reports whether it is known that no driver ran: spark-submit made none, or its container was never started.
func neverBegan(v *mechanism.View) bool {
	if v.Driver == nil {
		return v.Recorded.Submission
	}
	c := app.Container(v.Driver)
	if c == nil {
		return v.Driver.Spec.NodeName == ""
	}
	return c.State.Running == nil && app.Termination(v.Driver) == nil
}

// ran is from when until when the driver ran, or, where its pod is gone, the operator saw it.
func ran(v *mechanism.View) (begin, end time.Time) {
	begin, end = v.Submitted, v.DriverEnd()
	if v.Driver == nil {
		return begin, end
	}
	begin = v.Driver.CreationTimestamp.UTC()
	if c := app.Container(v.Driver); c != nil && c.State.Running != nil {
		begin, end = c.State.Running.StartedAt.UTC(), v.Now
	}
	if t := app.Termination(v.Driver); t != nil && t.StartedAt.Unix() > 0 {
		begin = t.StartedAt.UTC()
	}
	return begin, end
}

// stateOfApache is how an object of the Apache Spark Kubernetes Operator stands: the state that tells how it ended, where it did.
func stateOfApache(v *mechanism.View, s State) State {
	a := v.Apache
	t := a.Outcome()
	if a.Stopped() {
		t = a.Current()
	}
	s.Word, s.Since = t.State, t.At
	if !a.IsCluster() {
		s.Attempt, s.MaxAttempts = a.Attempt+1, a.MaxAttempts()
	}
	switch {
	case a.Restarts() && s.Attempt > 1:
		s.Attempt-- // the one that ended
	case a.Released() && s.Attempt < s.MaxAttempts:
		s.MaxAttempts = 0 // it is not started again, whatever the number
	}
	end := v.Now
	if a.Failed() || a.Released() || t.State == app.ApacheSucceeded {
		end = t.At
	}
	if begin := a.Entered("DriverStarted"); !begin.IsZero() && end.After(begin) {
		s.Ran = end.Sub(begin).Round(time.Second)
	}
	return s
}

// endedBehind is when the driver's container ended, where the operator still calls the application running: a pod counts as running while
// another of its containers does, and the operator looks at the phase of pods (kubeflow/spark-operator
// internal/controller/sparkapplication/event_filter.go@v2.5.2).
func endedBehind(v *mechanism.View) time.Time {
	if v.Driver == nil || v.Application == nil || v.State != "RUNNING" || v.Driver.Status.Phase != corev1.PodRunning {
		return time.Time{}
	}
	if t := app.Termination(v.Driver); t != nil {
		return t.FinishedAt.UTC()
	}
	return time.Time{}
}
