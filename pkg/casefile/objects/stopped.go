package objects

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// stopped is about a run that its user stops: by deleting the application, or by changing its spec, which makes the operator delete the
// driver and submit anew (state INVALIDATING, internal/controller/sparkapplication/controller.go@v2.5.2).
func stopped(v *View) []cause.Cause {
	if v.Application == nil {
		return nil
	}
	c := cause.Cause{Class: cause.StoppedByUser, Trust: cause.ByCondition, Subject: v.AppRef()}
	generation := v.Application.GetGeneration()
	switch at := v.Application.GetDeletionTimestamp(); {
	case at != nil:
		c.At = at.UTC()
		c.Message = fmt.Sprintf("the application was deleted %s and is terminating", ago(v, at.Time))
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "metadata.deletionTimestamp", Value: at.UTC().Format(time.RFC3339), At: c.At}}
		if f := v.Application.GetFinalizers(); len(f) > 0 {
			c.Message += "; it waits for finalizers " + strings.Join(f, ", ")
		}
	case v.State == "INVALIDATING" || v.State == "PENDING_RERUN" && generation > 1 && v.Message == "":
		c.Certainty = check.Likely
		c.Message = fmt.Sprintf("the operator stops the run and submits it anew because the spec was changed (generation %d)", generation)
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "metadata.generation", Value: fmt.Sprint(generation)},
			{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
		c.Next = []command.Command{command.Do("see who changed the spec").
			With("kubectl -n %s get sparkapplication %s -o yaml --show-managed-fields", v.AppRef().Namespace, v.AppRef().Name)}
	default:
		return nil
	}
	if by := v.writers(); by != "" {
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: by})
		c.Message += "; spec written by " + by
	}
	return []cause.Cause{c}
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
