package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// SparkMoved is an image that holds another minor release of Spark than the spec says, where a jar does not fit the image's Scala or Spark:
// the tag moved, or the image was changed without the jar. A spec whose sparkVersion was never right looks alike, so that it is likely at
// most; and jars that fit neither release do, which no version tells.
type SparkMoved struct {
	Image string // of the container
	Runs  string // as its log says: "4.0.1"
	Says  string // spec.sparkVersion
}

// Mechanism names it.
func (SparkMoved) Mechanism() cause.ID { return "spark-moved" }

// OtherSpark compares the release that runs with the one of the spec.
func OtherSpark(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || v.Application == nil || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	switch known.Signature.ID {
	case "scala-version", "scala-product", "servlet-namespace":
	default:
		return cause.Cause{}, false
	}
	m := inDriverLogs(v, runsSpark)
	if m == nil || v.Spec.SparkVersion == "" || app.ReleaseOf(m[1]) == app.ReleaseOf(v.Spec.SparkVersion) {
		return cause.Cause{}, false
	}
	d := SparkMoved{Image: v.imageOf(cause.DriverRole), Runs: m[1], Says: v.Spec.SparkVersion}
	if v.Driver == nil {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: about.Class, Certainty: check.Likely, Role: about.Role, Subject: v.AppRef(), At: about.At, Trust: cause.BySpec,
		Detail: d, Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: m[0]},
			{Object: v.AppRef(), Field: "spec.sparkVersion", Value: d.Says}, {Object: v.AppRef(), Field: "spec.image", Value: d.Image}}}, true
}
