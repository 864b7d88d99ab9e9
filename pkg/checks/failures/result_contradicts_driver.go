package failures

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	narrow "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func resultContradictsDriver() check.Check {
	return check.Check{
		ID: "SD8004", Slug: "result-contradicts-driver", Since: "0.1.0", Consequence: check.LosesWork,
		Title: "the recorded result of an application contradicts its driver",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			for _, app := range list {
				if app.Terminating() || !lately(app, p.Params, p.TakenAt) {
					continue
				}
				if driver := driverOf(p.Snapshot, app); contradicts(app, driver) {
					a.Findings = append(a.Findings, contradiction(app, driver, p.Snapshot))
				}
			}
			return a
		},
	}
}

// contradicts reports whether the driver of the last submission ended otherwise than the operator recorded. The operator judges by the
// driver's container, and by nothing if its cache does not hold the pod yet (updateDriverState in internal/controller/sparkapplication/
// controller.go@v2.5.2, GetDriverState in pkg/util/sparkapplication.go@v2.5.2; #795, #2315).
func contradicts(app *snapshot.SparkApplication, driver *snapshot.Pod) bool {
	if driver == nil || app.ExecutionAttempts == 0 {
		return false // of a submission that failed: SD6006's
	}
	switch app.State {
	case "FAILED":
		exit := mechanism.ExitOf(narrow.NarrowPod(driver))
		succeeded := driver.Phase == "Succeeded" || exit == mechanism.EndedWell
		running := driver.Phase == "Running" && exit == mechanism.NotEnded && !driver.Terminating()
		return succeeded || notFound(app) && running
	case "COMPLETED":
		return driver.Phase == "Failed" && mechanism.ExitOf(narrow.NarrowPod(driver)) == mechanism.EndedBadly
	default:
		return false
	}
}

func contradiction(app *snapshot.SparkApplication, driver *snapshot.Pod, s *snapshot.Snapshot) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Warning, Field: "status.applicationState.state",
		Verdict: check.Verdict{Since: endedAt(app)}, Related: []snapshot.Ref{driver.Ref},
		Evidence: []check.Evidence{
			{Object: app.Ref, Field: "status.applicationState.state", Value: app.State},
			{Object: driver.Ref, Field: "status.phase", Value: driver.Phase},
		},
	}
	if app.SubmissionID == "" || driver.SubmissionID() == "" {
		f.Certainty = check.Likely // it may be the driver of another submission
	}
	if app.ErrorMessage != "" {
		f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: errorMessage, Value: app.ErrorMessage})
	}
	f.Evidence = append(f.Evidence, facts.PodEndEvidence(driver, driverContainer(driver))...)
	at := facts.When(endedAt(app), s.TakenAt)
	main := driverContainer(driver)
	next := command.Do("check what the job wrote before it runs again")
	switch {
	case app.State == "COMPLETED":
		next = command.Do("do not use the result before the driver's log explains the exit")
		f.Kind, f.Shared = "failed", app.Namespace+" failed"
		f.Message = fmt.Sprintf("COMPLETED %s, but driver pod %q failed: %s", at, driver.Name, facts.PodEnd(driver, main))
		f.Brief = fmt.Sprintf("COMPLETED, but driver pod %q failed: %s", driver.Name, facts.PodEnd(driver, main))
	case driver.Phase == "Succeeded" || main != nil && main.Ended:
		f.Kind, f.Shared = "completed", app.Namespace+" completed"
		f.Message = fmt.Sprintf("marked FAILED %s, but driver pod %q completed (exit code 0)", at, driver.Name)
		f.Brief = fmt.Sprintf("marked FAILED, but driver pod %q completed (exit code 0)", driver.Name)
	default:
		next = check.Logs("let the driver finish, or delete its pod before you submit again", driver.Ref, "", false)
		f.Kind, f.Shared = "runs", app.Namespace+" runs"
		f.Message = fmt.Sprintf("marked FAILED %s, but driver pod %q runs: the operator will not record its result", at, driver.Name)
		f.Brief = fmt.Sprintf("marked FAILED, but driver pod %q runs: the operator will not record its result", driver.Name)
	}
	f.Then(next)
	askWhy(&f)
	return f
}
