package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ImagesDiffer is driver and executors that run other images, where a log says that they are of other versions, or that an executor lacks
// a module. With one image for both, they differ for another reason: variables, or what is installed at the start.
type ImagesDiffer struct{ Driver, Executor string }

// Mechanism names it.
func (ImagesDiffer) Mechanism() cause.ID { return "images-differ" }

// DifferentImages finds them: of pods, or of the spec where no executor is left.
func DifferentImages(v *View, about *cause.Cause) (cause.Cause, bool) {
	failure, _ := about.Detail.(logs.Failure)
	missing := about.Signature == "python-module-missing" && (about.Role == cause.ExecutorRole || failure.Worker)
	if !missing && !slices.Contains([]string{"python-versions-differ", "serial-version"}, about.Signature) {
		return cause.Cause{}, false
	}
	d := ImagesDiffer{Driver: v.imageOf(cause.DriverRole), Executor: v.imageOf(cause.ExecutorRole)}
	if d.Driver == "" || d.Executor == "" || d.Driver == d.Executor {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: about.Class, Role: about.Role, Subject: about.Subject, Trust: cause.BySpec, Detail: d,
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "image of the driver", Value: d.Driver},
			{Object: v.AppRef(), Field: "image of the executors", Value: d.Executor}}}, true
}

// SameImage reports whether driver and executors run one image.
func (v *View) SameImage() bool {
	driver := v.imageOf(cause.DriverRole)
	return driver != "" && driver == v.imageOf(cause.ExecutorRole)
}

// imageOf is what the pods of a role run, or are to run; empty: not known.
func (v *View) imageOf(role cause.Role) string {
	if role == cause.DriverRole && v.Driver != nil {
		return app.MainImage(v.Driver)
	}
	if role == cause.ExecutorRole && len(v.Executors) > 0 {
		return app.MainImage(v.Executors[len(v.Executors)-1])
	}
	if v.Application == nil {
		return ""
	}
	if image := v.Spec.Role(string(role)).Image; image != "" {
		return image
	}
	return v.Spec.Image
}
