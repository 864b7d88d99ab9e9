package why

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// behindLastRun says that a schedule starts nothing because its last run is not over: concurrencyPolicy is Forbid
// (shouldStartNextRun, internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
func behindLastRun(v *mechanism.View, verdict *cause.Cause) {
	s := v.Schedule
	if s == nil || v.Subject.Kind != s.GetKind() || v.Application == nil || !verdict.Class.Fault() {
		return
	}
	policy, _, _ := unstructured.NestedString(s.Object, "spec", "concurrencyPolicy")
	text, _, _ := unstructured.NestedString(s.Object, "status", "nextRun")
	next, err := time.Parse(time.RFC3339, text)
	if policy != "Forbid" || err != nil || !v.Now.After(next) || over(v.Driver, time.Time{}) || v.State == "FAILED" || v.State == "COMPLETED" {
		return
	}
	verdict.Message += fmt.Sprintf("; a run is due since %s, and none starts while run %s is not over (concurrencyPolicy Forbid)",
		duration.HumanDuration(v.Now.Sub(next)), v.Application.GetName())
	verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: v.Subject, Field: "spec.concurrencyPolicy", Value: policy},
		cause.Proof{Object: v.Subject, Field: "status.nextRun", Value: text, At: next.UTC()})
}
