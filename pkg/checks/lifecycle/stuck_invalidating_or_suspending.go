package lifecycle

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckBetween() check.Check {
	return standing(check.Check{
		ID: "SD6005", Slug: "stuck-invalidating-or-suspending", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:   "an application hangs while it is invalidated, suspended or resumed",
		Repairs: []fix.Intent{fix.Touch{Application: facts.KindOf(snapshot.SparkApplications)}},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{CausedBy: stuckCauses(check.Cause{Breaks: check.Deletion, Where: check.RelatedMember})},
	}, undatedStates, func(s *snapshot.Snapshot) func(*snapshot.SparkApplication) *standstill {
		return func(app *snapshot.SparkApplication) *standstill {
			since, seen := inStateSince(app)
			switch {
			case isBetween(app):
			case ignoresSuspend(app):
				since = app.SpecChanged
				seen = check.Evidence{Object: app.Ref, Field: "metadata.managedFields", Value: "spec last written at " + since.Format(time.RFC3339)}
			default:
				return nil
			}
			return &standstill{since, func(in *operator.Installation) check.Finding {
				return between(app, in, facts.DriverOf(s, app), since, seen, s.TakenAt)
			}}
		}
	})
}

// isBetween reports whether an application is in a state that the operator leaves by itself, with no job to wait for. It
// is SUSPENDED for as long as spec.suspend says so.
func isBetween(app *snapshot.SparkApplication) bool {
	return isOneOf(app.State, "INVALIDATING", "SUSPENDING", "RESUMING") || app.State == "SUSPENDED" && !app.Suspend
}

// ignoresSuspend reports whether an application goes on although it is to be suspended.
func ignoresSuspend(app *snapshot.SparkApplication) bool {
	return app.Suspend && isOneOf(app.State, "SUBMITTED", "RUNNING", "PENDING_RERUN", "SUBMISSION_FAILED")
}

// knowsSuspend reports whether a release has spec.suspend and its states, which 2.4.0 brought (#2387).
func knowsSuspend(in *operator.Installation) bool { return in == nil || in.Facts().Suspends }

// between states what the operator did not get done. INVALIDATING: it deletes driver pod, UI service and ingress, and if
// that fails it logs the error, is content and ignores what happens to the pod (internal/controller/sparkapplication/
// controller.go, event_handler.go@v2.5.2). SUSPENDING and RESUMING are tried again by themselves. SUSPENDED waits, as
// PENDING_RERUN does, until the parts of the last run are gone.
func between(app *snapshot.SparkApplication, in *operator.Installation, driver *snapshot.Pod, since time.Time, seen check.Evidence,
	now time.Time) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Identity: check.Identity{What: app.State, Shared: app.State + " " + app.Namespace}, Verdict: check.Verdict{Since: since},
		Evidence: []check.Evidence{stateOf(app), seen},
	}
	judgedBy(&f, in)
	kick := fix.Touch{Application: app.Ref, State: app.State, At: now}
	state := app.State
	age := " " + facts.ForSince(since, now)
	rest := ""
	switch app.State {
	case "INVALIDATING":
		rest = ": the spec changed, and the operator has not cleaned up the last run"
		kick.Consequence = "it deletes the driver pod of the last run and submits the job again"
	case "SUSPENDING":
		rest = ": the operator fails to clean up the last run"
	case "RESUMING":
		rest = ": the operator fails to submit the job"
	case "SUSPENDED":
		rest = ", although spec.suspend is no longer set"
		kick.Consequence = "it submits the job again"
	default:
		f.What = "suspend"
		f.Shared = "suspend " + app.Namespace
		f.Field = "spec.suspend"
		state, age = state+", although spec.suspend has been true", age+" or longer"
		f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: "spec.suspend", Value: "true"})
		kick.Consequence = "it suspends the application, which deletes the driver pod"
	}
	f.Brief, f.Message = state+rest, state+age+rest
	switch {
	case !knowsSuspend(in) && app.State != "INVALIDATING":
		f.What, f.Severity = "unknown", check.Warning
		since := operator.Since(func(facts *operator.Facts) bool { return facts.Suspends })
		f.Then(command.Upgrade(in, since, ", which knows spec.suspend"))
		f.Shared = "unknown " + in.Controller.Namespace + "/" + in.Controller.Name
		f.Message += fmt.Sprintf(": operator %s does not know spec.suspend", in.Stated)
		kick.Consequence = ""
	case driver != nil && driver.Terminating():
		f.Shared = ""
		f.Then(command.Do("see what blocks the deletion of the driver pod").On("get", driver.Ref, "-o yaml"))
		f.Message += fmt.Sprintf("; driver pod %q has been terminating %s", driver.Name,
			facts.ForSince(driver.Deleted().Add(-driver.GracePeriod()), now))
	case driver != nil:
		f.Message += fmt.Sprintf("; driver pod %q is %s", driver.Name, driver.Phase)
	}
	if driver != nil {
		f.Related = append(f.Related, driver.Ref)
		f.Evidence = append(f.Evidence, check.Evidence{Object: driver.Ref, Field: "status.phase", Value: driver.Phase})
	}
	if in != nil && kick.Consequence != "" && !(app.State == "SUSPENDED" && driver != nil) {
		f.Fixes = []fix.Intent{kick}
	}
	advise(&f, app, driver)
	return f
}

// advise adds what to do, where nothing that comes first was said.
func advise(f *check.Finding, app *snapshot.SparkApplication, driver *snapshot.Pod) {
	switch {
	case len(f.Next) > 0: // above all
	case len(f.Fixes) > 0:
		f.ThenRepair(lookAgain)
	case driver != nil && app.State == "SUSPENDED":
		f.Then(command.Do("delete the driver pod of the last run").On("delete", driver.Ref))
	}
}
