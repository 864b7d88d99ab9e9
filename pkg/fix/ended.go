package fix

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// isApplication reports whether a deletion is that of an application, which takes all its parts along.
func (i DeleteObject) isApplication() bool {
	return i.Object.Group() == snapshot.SparkGroup && i.Object.Kind == "SparkApplication"
}

// ended refuses to delete an application unless it ended in time and nothing of it runs. An application that the operator
// gave up may have a driver all the same (#2788), and one that a deployment tool applies comes back and runs again.
func (i DeleteObject) ended(f Fresh, o *Object) error {
	state, _, _ := unstructured.NestedString(o.Object, "status", "applicationState", "state")
	if state != "COMPLETED" && state != "FAILED" {
		return stale("%s is %s", i.Object, orNone(state))
	}
	if at := endOf(o); i.EndedBefore.IsZero() || at.IsZero() || at.After(i.EndedBefore) {
		return &Refused{Reason: fmt.Sprintf("it ended at %s, and only what ended before %s is deleted",
			timeText(at), timeText(i.EndedBefore))}
	}
	for _, t := range toolsOf(o) {
		if _, applies := t.owns["f:spec"]; applies {
			return &Refused{
				Reason: fmt.Sprintf("field manager %s applies it: it would make it again, and the job would run again", t.manager),
				Advice: "delete it where " + t.manager + " takes it from, or set spec.timeToLiveSeconds there",
			}
		}
	}
	if ns := podNamespaceOf(o); ns != "" && ns != i.Object.Namespace {
		reason := "its pods are in namespace %s (sparkConf spark.kubernetes.namespace), so whether they run was not looked at"
		return &Refused{Reason: fmt.Sprintf(reason, ns)}
	}
	for _, pod := range f.List(podsOf(i.Object)) {
		phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
		if phase != "Succeeded" && phase != "Failed" && !isExecutor(pod) {
			return &Refused{Reason: fmt.Sprintf("it is %s, and %s is %s all the same", state, refOf(pod), orNone(phase)),
				Advice: "find out what the driver does first"}
		}
	}
	return nil
}

// podNamespaceOf is where an application's sparkConf has its pods; empty if it does not say.
func podNamespaceOf(o *Object) string {
	ns, _, _ := unstructured.NestedString(o.Object, "spec", "sparkConf", "spark.kubernetes.namespace")
	return ns
}

// endOf is when an application ended, or was last submitted where the operator did not write its end, or was made where it
// never was: 1.x refuses a spec without any other trace.
func endOf(o *Object) time.Time {
	for _, field := range []string{"terminationTime", "lastSubmissionAttemptTime"} {
		text, _, _ := unstructured.NestedString(o.Object, "status", field)
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at
		}
	}
	return o.GetCreationTimestamp().Time
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "an unknown time"
	}
	return t.UTC().Format(time.RFC3339)
}
