package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Finding is what a check found on the platform that explains why nothing starts. What it looks at and who says so, is on the page of the
// check.
type Finding struct {
	Check     string
	Says      string // by the check
	Namespace string // of the application, where a scan shows it
	Manifest  bool   // the application is a manifest, which no scan of a cluster shows
	Step      Step   // what the check says is to be done first; zero: it says nothing that can be repeated here
	Denied    string // by what the API server did not create the run of a schedule, as the operator logged it; empty: it did not say so
}

// Step is a thing to do, and the command for it.
type Step struct{ Do, Line string }

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
	denial, proofs := deniedRun(v, f)
	return cause.Cause{Class: class, Role: cause.SubmissionRole, Certainty: check.Likely, Trust: cause.ByPlatform, Subject: f.Object,
		At: f.Since, Detail: Finding{Check: f.Check, Says: f.Message, Namespace: v.Subject.Namespace, Step: firstStep(f),
			Denied: denial, Manifest: f.Seen != nil && f.Seen.Written() && v.State == ""}, Signature: f.Check,
		Evidence: append(proofs, seenBy(f)...)}
}

// deniedRun is what the operator logged last of the run of a schedule that it could not create, where the finding is about its schedule
// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2: its status is left as it was).
func deniedRun(v *View, f *check.Reported) (string, []cause.Proof) {
	if f.Object.Kind != "ScheduledSparkApplication" || f.Object.Name != v.Subject.Name {
		return "", nil
	}
	var last *app.Said
	for _, list := range [][]app.Said{v.RunsDenied, v.OperatorSaid} {
		for i := range list {
			if strings.Contains(list[i].Text, "Failed to start next run") && (last == nil || list[i].At.After(last.At)) {
				last = &list[i]
			}
		}
	}
	if last == nil {
		return "", nil
	}
	_, why, is := strings.Cut(last.Text, `"error": "`)
	if !is {
		return "", nil
	}
	why = strings.TrimRight(strings.ReplaceAll(why, `\"`, `"`), `"}`)
	return why, []cause.Proof{{Object: last.Pod, Field: "log " + last.Container, Value: why, At: last.At}}
}

// seenBy is what the check saw, or, where it says no more, the finding itself.
func seenBy(f *check.Reported) []cause.Proof {
	var out []cause.Proof
	for _, one := range f.Evidence {
		if one.Value != "" {
			out = append(out, cause.Proof{Object: one.Object, Field: one.Field, Value: one.Value})
		}
	}
	if len(out) == 0 {
		out = []cause.Proof{{Object: f.Object, Field: f.Field, Value: f.Message}}
	}
	return out
}

// firstStep is what the check says to do first.
func firstStep(f *check.Reported) Step {
	for _, one := range f.Steps() {
		return Step{Do: one.Do, Line: one.Command}
	}
	return Step{}
}
