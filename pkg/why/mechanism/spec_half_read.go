package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SpecHalfRead is a submission that lacks what the spec has: the deploy mode. For a change of the spec the operator's event filter updates
// the status of the application in its cache; the client empties that object and then decodes the answer into it, while the controller may
// read it (EventFilter.Update in internal/controller/sparkapplication/event_filter.go@v2.2.1 to @v2.5.2; targetZeroingDecoder in
// pkg/client/apiutil/apimachinery.go of sigs.k8s.io/controller-runtime@v0.20.4). A spec without spec.mode looks alike, and has no mode.
type SpecHalfRead struct{}

// Mechanism names it.
func (SpecHalfRead) Mechanism() cause.ID { return "spec-half-read" }

// withoutMode is what spark-submit says to another deploy mode, and to none (core/src/main/scala/org/apache/spark/deploy/
// SparkSubmitArguments.scala@v3.5.5).
const withoutMode = "--deploy-mode must be either"

func specHalfRead(v *View, recorded cause.Proof) cause.Cause {
	return cause.Cause{Class: cause.Submission, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), At: v.Submitted.UTC(), Detail: SpecHalfRead{},
		Evidence: []cause.Proof{recorded, {Object: v.AppRef(), Field: "spec.mode", Value: "cluster"}}}
}
