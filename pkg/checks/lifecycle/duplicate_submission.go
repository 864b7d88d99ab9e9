package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func duplicateSubmission() check.Check {
	return check.Check{
		ID: "SD6006", Slug: "duplicate-submission", Since: "0.1.0", Consequence: check.LosesWork,
		Title: "the operator submitted an application while a driver pod of its name existed",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{Breaks: []check.Part{check.SingleSubmission},
			CausedBy: []check.Cause{{Breaks: check.SingleOperator, Where: check.RelatedMember}}},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			k, undated := facts.Controllers().Of(p), 0
			for _, app := range list {
				driver := facts.DriverOf(p.Snapshot, app)
				if driver == nil || driver.Terminating() || app.Terminating() || facts.DriverElsewhere(app) {
					continue
				}
				switch since, stuck := refusedSince(app, p.Params); {
				case !stuck:
				case since.IsZero():
					undated++
				case p.TakenAt.Sub(since) > p.TransitionAfter && driver.Created.Before(since):
					a.Findings = append(a.Findings, submittedTwice(app, driver, k, since, p.TakenAt))
				}
			}
			a.PassOver(undated, phrase.Counted(undated, "SparkApplication")+
				" whose driver pod existed already, without a time of submission")
			return a
		},
	}
}

// refusedSince returns when the submission was refused because the driver pod existed. 2.x says so (internal/controller/
// sparkapplication/submission.go@v2.5.2); 1.x takes it for no error and leaves the application new (pkg/controller/
// sparkapplication/submission.go@v1beta2-1.6.2-3.5.0). Both happen when the operator ends between spark-submit and the
// update of the status (#2788).
func refusedSince(app *snapshot.SparkApplication, p check.Params) (since time.Time, refused bool) {
	switch {
	case isOneOf(app.State, "SUBMISSION_FAILED", "FAILED") && mechanism.NewMessages().Read(app.ErrorMessage, true).NameTaken:
		return app.LastSubmissionAttempt, true
	case app.State == "" && !app.Suspend && !app.Created.IsZero():
		return app.Created.Add(p.NewAfter), true
	default:
		return time.Time{}, false
	}
}

// submittedTwice tells a job that runs unwatched from a name that is taken: the operator follows the pods of its last
// submission only (internal/controller/sparkapplication/event_handler.go@v2.5.2).
func submittedTwice(app *snapshot.SparkApplication, driver *snapshot.Pod, k *facts.Assignment, since, now time.Time) check.Finding {
	state := app.State
	if state == "" {
		state, since = "still new", app.Created
	}
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState",
		Related: []snapshot.Ref{driver.Ref}, Verdict: check.Verdict{Since: since},
		Evidence: []check.Evidence{
			stateOf(app), {Object: driver.Ref, Field: "status.phase", Value: driver.Phase},
			{Object: driver.Ref, Field: "metadata.creationTimestamp", Value: driver.Created.Format(time.RFC3339)},
			{Object: driver.Ref, Field: "metadata.labels", Value: "app-name " + driver.App() + ", submission-id " + driver.SubmissionID()},
		},
	}
	if app.ErrorMessage != "" {
		f.Saw(app.Ref, "status.applicationState.errorMessage", app.ErrorMessage)
	}
	if controllers := k.In(app.Namespace); len(controllers) > 1 { // each submits
		for _, one := range controllers {
			f.Related = append(f.Related, one.In.Controller.Ref)
		}
	}
	ref, why := facts.RefTo(driver), ""
	gone := command.Do("delete the pod, and submit the application again").On("delete", driver.Ref)
	switch {
	case driver.App() != app.Name || ref.UID != "" && ref.UID != app.UID:
		f.Kind = "taken"
		f.Then(command.Do("see whose pod has the name").On("describe", driver.Ref),
			command.Do("create the application under another name, or delete the pod once nothing needs it"))
		why = fmt.Sprintf(": a pod of %s already has the name of its driver, %q", ownerOf(driver, app), driver.Name)
	case driver.Alive():
		f.Kind = "unwatched"
		f.Then(check.Logs("see whether it does the work of the job: if so, let it finish and submit nothing else", driver.Ref,
			driverContainer, false), gone)
		why = fmt.Sprintf(", but driver pod %q of an earlier submission is %s: the operator will not record its result", driver.Name,
			driver.Phase)
	default:
		f.Kind, f.Severity = "unrecorded", check.Warning
		f.Then(check.Logs("read whether the job succeeded", driver.Ref, driverContainer, false), gone)
		why = fmt.Sprintf(", but driver pod %q of an earlier submission %s: the operator did not record that", driver.Name,
			strings.ToLower(driver.Phase))
	}
	briefly, _, _ := strings.Cut(why, ": the operator")
	f.Brief, f.Message = state+briefly, state+" "+facts.ForSince(since, now)+why
	return f
}

func ownerOf(driver *snapshot.Pod, app *snapshot.SparkApplication) string {
	switch driver.App() {
	case app.Name:
		return "an earlier application of this name"
	case "":
		return "no application"
	default:
		return fmt.Sprintf("application %q", driver.App())
	}
}
