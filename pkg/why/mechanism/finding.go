package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Finding is what a check found on the platform that explains why nothing starts. What it looks at and who says so, is on the page of the
// check.
type Finding struct {
	Check     string
	Says      string // by the check
	Namespace string // of the application, where a scan shows it
	Manifest  bool   // the application is a manifest, which no scan of a cluster shows
}

// Mechanism names what was found.
func (Finding) Mechanism() cause.ID { return "finding" }

// platform are findings of checks that explain why nothing starts.
func platform(v *View) []cause.Cause {
	if v.State != "" && v.State != "SUBMISSION_FAILED" && v.State != "PENDING_RERUN" {
		return nil
	}
	var out []cause.Cause
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Severity != check.Error || !strings.HasPrefix(f.Check, "SD") || notYet(v, f) {
			continue
		}
		out = append(out, found(v, f))
	}
	return out
}

// blamed are findings of checks that explain a server that is not up: those about it, and, where the operator has not made it, those about
// the platform.
func blamed(v *View) []cause.Cause {
	if v.Serves() {
		return nil
	}
	if v.State == "" {
		return platform(v)
	}
	var out []cause.Cause
	for i := range v.Findings {
		f := &v.Findings[i]
		about := slices.ContainsFunc(append(append([]snapshot.Ref{f.Object}, f.Objects...), f.Related...), func(o snapshot.Ref) bool {
			return o.Kind == v.AppRef().Kind && o.Namespace == v.AppRef().Namespace && o.Name == v.AppRef().Name
		})
		if about && f.Severity == check.Error && strings.HasPrefix(f.Check, "SD") {
			c := found(v, f)
			c.Class = cause.Configuration // of a server that the operator made: nothing is submitted for it
			out = append(out, c)
		}
	}
	return out
}

// notYet reports whether a finding is about a driver's account that nothing has used: the operator has not tried to create the driver, or
// could not, and then what its account may do has stopped nothing.
func notYet(v *View, f *check.Reported) bool {
	if f.Check != "SD5007" {
		return false
	}
	notCreated := v.State == "SUBMISSION_FAILED" && f.Kind == "permissions"
	return notCreated || v.State == ""
}

// found is a finding of a check as a cause.
func found(v *View, f *check.Reported) cause.Cause {
	class := cause.Submission
	if f.Check == "SD5007" && f.Kind == "permissions" {
		class = cause.Credentials
	}
	return cause.Cause{Class: class, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByPlatform, Subject: f.Object,
		At: f.Since, Detail: Finding{Check: f.Check, Says: f.Message, Namespace: v.Subject.Namespace,
			Manifest: f.Seen != nil && f.Seen.Written() && v.State == ""}, Signature: f.Check,
		Evidence: []cause.Proof{{Object: f.Object, Field: f.Field, Value: f.Message}}}
}
