package mechanism

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// stopped is about a run that its user stops: by deleting the application, or by changing its spec, which makes the operator delete the
// driver and submit anew (state INVALIDATING, internal/controller/sparkapplication/controller.go@v2.5.2).
func stopped(v *View) []cause.Cause {
	if v.Application == nil {
		return nil
	}
	c := cause.Cause{Class: cause.StoppedByUser, Trust: cause.ByCondition, Subject: v.AppRef()}
	changed := v.processed()
	generation := v.Application.GetGeneration()
	switch at := v.Application.GetDeletionTimestamp(); {
	case at != nil:
		c.At = at.UTC()
		what := "application"
		if v.IsConnect() {
			what = connectKind
		}
		c.Message = fmt.Sprintf("the %s was deleted %s and is terminating", what, ago(v, at.Time))
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "metadata.deletionTimestamp", Value: at.UTC().Format(time.RFC3339), At: c.At}}
		if f := v.Application.GetFinalizers(); len(f) > 0 {
			c.Message += "; it waits for finalizers " + strings.Join(f, ", ")
		}
	case v.State == "PENDING_RERUN" && v.Message == "" && v.Driver == nil && changed != nil:
		c.Certainty, c.At, c.Trust = check.Likely, changed.Last.UTC(), cause.ByEvent
		c.Message = fmt.Sprintf("the spec was changed while it ran (%s, the last at %s), so the operator deleted that run's driver; it is in "+
			"PENDING_RERUN since, and no new run began", facts.Counted(changed.Count, "time"), c.At.Format(time.TimeOnly))
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "event " + changed.Reason, At: c.At,
			Value: fmt.Sprintf("%s (%d times)", changed.Message, changed.Count)},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
		c.Next = []command.Command{command.Do("if no run begins within minutes, delete the application and apply its last spec once")}
	case v.State == "INVALIDATING" || v.State == "PENDING_RERUN" && v.Message == "" && v.changedLately():
		c.Certainty = check.Likely
		c.Message = fmt.Sprintf("the operator stops the run and submits it anew because the spec was changed (generation %d)", generation)
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "metadata.generation", Value: fmt.Sprint(generation)},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
		c.Next = []command.Command{command.Do("see who changed the spec").
			With("kubectl -n %s get sparkapplication %s -o yaml --show-managed-fields", v.AppRef().Namespace, v.AppRef().Name)}
		if p := v.Driver; p != nil && p.DeletionTimestamp == nil && v.State == "INVALIDATING" {
			// It deletes the pod once, at once, and does not try again (reconcileInvalidatingSparkApplication).
			c.Message += fmt.Sprintf("; pod %s of that run is not deleted, and if it stays, the operator was refused and will not retry", p.Name)
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "metadata.deletionTimestamp", Value: "not set"})
			c.Next = append([]command.Command{command.Do("scan for a stuck application").With("kubectl sparkdoctor scan -n %s",
				v.AppRef().Namespace)}, c.Next...)
		}
	default:
		return nil
	}
	if by := v.writers(); by != "" {
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: by})
		c.Message += "; spec written by " + by
	}
	return []cause.Cause{c}
}

// lately is how long after a change of the spec the run before it is still being taken away: a pod's grace period, and some.
const lately = 10 * time.Minute

// changedLately reports whether another than the operator wrote the spec a moment ago, or the driver of the run before is going away. An
// application waits for its next run after a failure, too, and its spec may have been changed long before.
func (v *View) changedLately() bool {
	if v.Application.GetGeneration() < 2 {
		return false
	}
	if v.Driver != nil && v.Driver.DeletionTimestamp != nil && v.Driver.Status.Phase == corev1.PodRunning {
		return true
	}
	return slices.ContainsFunc(v.Application.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return m.Subresource == "" && m.Time != nil && !strings.HasPrefix(m.Manager, "spark-operator") && v.Now.Sub(m.Time.Time) < lately
	})
}

// processed is the event that the operator took a run down for a change of its spec; nil: there is none, or a run ended by itself after it
// (recordSparkApplicationEvent and handleUpdate in pkg/controller/sparkapplication/controller.go@v1beta2-1.3.8-3.1.1).
func (v *View) processed() *app.Event {
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

// writers are who wrote the object itself, not its status, the last first.
func (v *View) writers() string {
	var out []string
	for _, m := range v.Application.GetManagedFields() {
		if m.Subresource == "" && m.Time != nil && !strings.HasPrefix(m.Manager, "spark-operator") {
			out = append([]string{fmt.Sprintf("%s (%s)", m.Manager, m.Time.UTC().Format(time.RFC3339))}, out...)
		}
	}
	return strings.Join(out, ", ")
}

// scheduled is about a schedule of which no run is left.
func scheduled(v *View) []cause.Cause {
	if v.Schedule == nil || v.Application != nil || v.Subject.Kind != "ScheduledSparkApplication" {
		return nil
	}
	if on, _, _ := unstructured.NestedBool(v.Schedule.Object, "spec", "suspend"); on {
		return nil
	}
	text, _, _ := unstructured.NestedString(v.Schedule.Object, "status", "nextRun")
	next, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	c := cause.Cause{Class: cause.RunningNormally, Trust: cause.ByOperator, Subject: v.Subject, At: next,
		Message:  fmt.Sprintf("no run of the schedule is left; the next one starts in %s", duration.HumanDuration(next.Sub(v.Now))),
		Evidence: []cause.Proof{{Object: v.Subject, Field: "status.nextRun", Value: text}}}
	if late := v.Now.Sub(next); late > 5*time.Minute {
		c.Class, c.Effect = cause.Unknown, true
		c.Message = fmt.Sprintf("the operator has not started the run that was due %s ago", duration.HumanDuration(late))
		c.Next = []command.Command{command.Do("scan the operator").With("kubectl sparkdoctor scan -n %s", v.Subject.Namespace)}
	}
	return []cause.Cause{c}
}

// between is about an application between two runs, whose driver pod of the last one is in the way. The operator goes on when that is gone
// (validateSparkResourceDeletion, internal/controller/sparkapplication/controller.go@v2.5.2).
func between(v *View) []cause.Cause {
	if v.Application == nil || v.Application.GetDeletionTimestamp() != nil {
		return nil
	}
	switch {
	case v.State == "SUSPENDING" && v.notSuspended() > 0:
		return []cause.Cause{v.deletionRefused(v.notSuspended())}
	case v.State == "PENDING_RERUN" || v.resumes():
		return v.inTheWay()
	default:
		return nil
	}
}

// resumes reports whether the operator is to start the application again.
func (v *View) resumes() bool { return v.State == "SUSPENDED" && !v.suspended() }

// inTheWay is about a driver pod that its finalizers keep after its grace period: deletionTimestamp is the end of that
// (kubernetes.io/docs/concepts/overview/working-with-objects/finalizers).
func (v *View) inTheWay() []cause.Cause {
	p := v.Driver
	if p == nil || p.DeletionTimestamp == nil || len(p.Finalizers) == 0 || !v.Now.After(p.DeletionTimestamp.Time) {
		return nil
	}
	held := strings.Join(p.Finalizers, ", ")
	what := "starts the next run"
	if v.resumes() {
		what = "resumes the application"
	}
	return []cause.Cause{{Class: cause.Configuration, Subject: podRef(p), Trust: cause.ByPod, At: p.DeletionTimestamp.UTC(),
		Message: fmt.Sprintf("the operator %s when pod %s is gone, which was deleted %s and is held by finalizer %s", what, p.Name,
			ago(v, p.DeletionTimestamp.Time), held),
		Evidence: []cause.Proof{{Object: podRef(p), Field: "metadata.finalizers", Value: held, At: p.DeletionTimestamp.UTC()},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}},
		Next: []command.Command{command.Do("find out why the controller of %s does not remove it", held).On("describe", podRef(p))},
	}}
}

// notSuspended is how often the operator has tried to suspend an application whose driver pod nothing has deleted; 0: it may still do
// so. It records an event at each try, and tries until it succeeds (reconcileSuspendingSparkApplication).
func (v *View) notSuspended() int {
	if p := v.Driver; p == nil || p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
		return 0
	}
	tries := 0
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkApplicationSuspending") {
		if !e.First.Before(v.Submitted) { // else it also counts tries of an earlier run
			tries += e.Count
		}
	}
	if tries < 3 {
		return 0
	}
	return tries
}

// deletionRefused is about a driver pod that the operator cannot delete: only its log says why.
func (v *View) deletionRefused(tries int) cause.Cause {
	return cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Subject: podRef(v.Driver), Trust: cause.ByEvent,
		Message: fmt.Sprintf("spec.suspend is true, but the driver still runs: the operator has tried %d times to suspend the application, and "+
			"pod %s is not deleted; a role or an admission policy can forbid that", tries, v.Driver.Name),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "event SparkApplicationSuspending", Value: fmt.Sprintf("%d times", tries)},
			{Object: podRef(v.Driver), Field: "metadata.deletionTimestamp", Value: "not set"}},
		Next: []command.Command{command.Do(`read in the log of the operator's controller what follows "failed to delete spark resources"`)},
	}
}
