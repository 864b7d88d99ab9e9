package ownership

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func driverWithoutOwner() check.Check {
	return check.Check{
		ID: "SD2006", Slug: "driver-without-owner", Since: "0.1.0", Consequence: check.Wastes,
		Title: "a driver pod has no ownerReference to its application",
		Gate: check.Gate{Worse: "since 2.0.0 only the garbage collector deletes a driver when its application is deleted",
			Break: operator.Version{Major: 2}},
		Needs: []snapshot.Need{
			{View: snapshot.SparkPods, Role: snapshot.Subject},
			{View: snapshot.SparkApplications, Role: snapshot.Compared},
		},
		Repairs:  []fix.Intent{fix.AddOwner{Pod: facts.KindOf(snapshot.SparkPods), Application: facts.KindOf(snapshot.SparkApplications)}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			installations := facts.Installations().Of(p)
			var a check.Answer
			unseen, pods := 0, p.SparkPods()
			for _, pod := range pods {
				if pod.Role() != facts.DriverRole {
					continue
				}
				app := p.SparkApplication(pod.Namespace, pod.App())
				if app == nil && !p.Covers(snapshot.SparkApplications, pod.Namespace) {
					unseen++
					continue
				}
				a.Judged++
				if app == nil || pod.SubmissionID() == "" || pod.SubmissionID() != app.SubmissionID || hasOwner(pod, app) {
					continue
				}
				if app.Terminating() || pod.Terminating() || p.TakenAt.Sub(app.Created) < p.NewAfter {
					continue
				}
				a.Findings = append(a.Findings, ownerless(pod, app, operator.For(installations, pod.Namespace)))
			}
			if unseen > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(unseen, "driver pod")+" whose application was not seen")
			}
			return a
		},
	}
}

// hasOwner reports whether a pod refers to the application, of this or an earlier life: another UID is SD2002's.
func hasOwner(pod *snapshot.Pod, app *snapshot.SparkApplication) bool {
	for _, ref := range pod.Owners {
		if ref.GroupKind() == app.GroupKind() && ref.Name == app.Name {
			return true
		}
	}
	return false
}

// ownerless states the finding. Who sets the reference: the webhook up to 2.3.0
// (internal/webhook/sparkpod_defaulter.go@v2.3.0), the pod template of the submission from 2.4.0 on (#2670). 1.x
// deletes drivers by name when it sees the application go, so there the pod is found without a reference.
func ownerless(pod *snapshot.Pod, app *snapshot.SparkApplication, in *operator.Installation) check.Finding {
	f := check.Finding{
		About: check.Of(pod).PartOf(app.Name), Severity: check.Warning,
		Field:   "metadata.ownerReferences",
		Message: fmt.Sprintf("driver has no ownerReference to SparkApplication %q: it keeps running when the application is deleted", app.Name),
		Evidence: []check.Evidence{
			{Object: pod.Ref, Field: "metadata.ownerReferences", Value: fmt.Sprintf("%d, none to SparkApplication %s", len(pod.Owners), app.Name)},
			{Object: app.Ref, Field: "status.submissionID", Value: app.SubmissionID},
		},
		Related: []snapshot.Ref{app.Ref},
	}
	if in == nil || !in.Legacy() {
		f.Fixes = []fix.Intent{fix.AddOwner{Pod: pod.Ref, Application: app.Ref}}
		f.ThenRepair("add the ownerReference to SparkApplication " + app.Name)
	} else {
		f.Then(command.Do("delete the pod yourself if the operator is down when SparkApplication %s is deleted", app.Name))
	}
	switch {
	case in == nil || !in.Recognised:
		f.Certainty = check.Likely
	case in.Legacy():
		f.Severity = check.Info
		f.Message = fmt.Sprintf(
			"driver has no ownerReference to SparkApplication %q: operator %s deletes it by name, unless it is down when the application is deleted",
			app.Name, in.Stated)
	case !in.Facts().OwnsDrivers:
		f.Message += fmt.Sprintf("; with operator %s only the webhook sets it, so the webhook did not run for this pod", in.Stated)
	}
	return f
}
