package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// MainJarMissing is a main application file that is not in the container. Spark skips a local jar that does not exist with a warning, and
// then does not find the main class (core/src/main/scala/org/apache/spark/util/DependencyUtils.scala and deploy/SparkSubmit.scala@v3.5.5).
// Another jar that is skipped looks alike, and so does a main class that the jar lacks.
type MainJarMissing struct {
	Jar   string // its path
	Class string // that was not found; empty: the log does not say so
	Image string // empty: not known
}

// Mechanism names it.
func (MainJarMissing) Mechanism() cause.ID { return "main-jar-missing" }

var notLoaded = lazyregexp.New(`(?m)^Error: Failed to load class ([\w.$]+?)\.?\r?$`)

// WithoutMainJar compares a jar that Spark skipped with the main application file of the spec. That it is the cause is proven where the
// main class was not found after that.
func WithoutMainJar(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "jar-missing" || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	main := strings.TrimPrefix(strings.TrimPrefix(v.Spec.MainApplicationFile, "local://"), "file://")
	d := MainJarMissing{Jar: known.Groups["jar"], Image: v.Spec.Image}
	if main == "" || main != d.Jar {
		return cause.Cause{}, false
	}
	if v.Driver != nil {
		d.Image = app.MainImage(v.Driver)
	}
	out := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.mainApplicationFile",
			Value: v.Spec.MainApplicationFile}}}
	if m := inDriverLogs(v, notLoaded); m != nil {
		d.Class, out.Certainty = m[1], check.Proven
	}
	out.Detail = d
	return out, true
}
