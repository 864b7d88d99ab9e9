package size

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func driverLostBeforeRecorded() check.Check {
	return check.Check{
		ID: "SD3005", Slug: "driver-lost-before-recorded", Since: "0.1.0", Consequence: check.LosesWork,
		Title: "a driver pod is gone, and the operator did not record its result",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Absence:  true,
		Repairs:  []fix.Intent{fix.Touch{Application: facts.KindOf(snapshot.SparkApplications)}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			installations, undated := facts.Installations().Of(p), 0
			for _, app := range list {
				driver, failed := facts.DriverRef(app), recordedLost(app)
				running := app.State == "RUNNING" || app.State == "SUBMITTED"
				judged := failed || running
				if !judged || app.Terminating() || facts.DriverElsewhere(app) {
					continue
				}
				if facts.DriverOf(p.Snapshot, app) != nil || p.Has(driver.Key()) {
					continue
				}
				grace := driverGrace(operator.For(installations, app.Namespace))
				switch {
				case failed:
					a.Findings = append(a.Findings, failedForDriver(app, driver, p.TakenAt))
				case app.LastSubmissionAttempt.IsZero():
					undated++
				case p.TakenAt.Sub(app.LastSubmissionAttempt) > max(grace, p.NewAfter):
					a.Findings = append(a.Findings, withoutDriver(app, driver, min(controllerLag, p.SettleAfter), p.TakenAt))
				}
			}
			a.PassOver(undated, phrase.Counted(undated, "SparkApplication")+" without a driver pod and without status.lastSubmissionAttemptTime")
			return a
		},
	}
}

// controllerLag is what a controller may take to see that a pod is gone. The operator's own grace period counts from the
// submission and has passed by then (updateDriverState in internal/controller/sparkapplication/controller.go@v2.5.2).
const controllerLag = 10 * time.Second

func driverGrace(in *operator.Installation) time.Duration {
	if in == nil {
		return controllerLag
	}
	return max(in.DriverGrace(), controllerLag)
}

// recordedLost reports whether the operator gave the application up because it did not find the driver pod. The text
// is all of the message (pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0, internal/controller/
// sparkapplication/controller.go@v2.0.0 to @v2.5.2); up to v1beta2-1.1.x it begins "Driver Pod".
func recordedLost(app *snapshot.SparkApplication) bool {
	return (app.State == "FAILED" || app.State == "FAILING") && strings.EqualFold(app.ErrorMessage, "driver pod not found")
}

// failedForDriver states that a result is lost: the job may have succeeded (#2755). It is another finding than that of a
// run without a driver, which is over then.
func failedForDriver(app *snapshot.SparkApplication, driver snapshot.Ref, now time.Time) check.Finding {
	because := fmt.Sprintf(" because driver pod %q was gone; the job may have succeeded", driver.Name)
	after, tooSoon := app.Terminated.Sub(app.LastSubmissionAttempt), false
	if !app.LastSubmissionAttempt.IsZero() && after >= 0 && after <= spark.LookedAtOnce && app.Executors.Total() == 0 {
		tooSoon = true
		because = fmt.Sprintf(", %s after it was submitted, because the operator did not find driver pod %q", phrase.Span(after), driver.Name)
	}
	f := check.Finding{
		About: check.OfApp(app), Identity: check.Identity{Kind: "failed"}, Severity: check.Warning, Field: "status.applicationState",
		Message: "marked " + app.State + because,
		Evidence: []check.Evidence{
			{Object: app.Ref, Field: "status.applicationState.state", Value: app.State},
			{Object: app.Ref, Field: "status.applicationState.errorMessage", Value: "driver pod not found"},
		},
	}
	again := "see whether the job wrote its output, and submit the application again if not"
	if tooSoon {
		again = "submit the application again: so soon, nothing of the job can have run"
	}
	f.Then(command.Do("read the events about it, while they last").
		With("kubectl -n %s events --for sparkapplication/%s", app.Namespace, app.Name), command.Do("%s", again))
	if !app.Terminated.IsZero() {
		f.Since, f.Brief = app.Terminated, "marked "+app.State+", although the job may have succeeded"
		if tooSoon {
			f.Brief = fmt.Sprintf("marked %s %s after it was submitted: the operator did not find its driver pod", app.State, phrase.Span(after))
		}
		f.Message = "marked " + app.State + " " + facts.When(app.Terminated, now) + because
		f.Saw(app.Ref, "status.terminationTime", app.Terminated.Format(time.RFC3339))
	}
	return f
}

// withoutDriver states that nothing runs although the status says so. The operator would fail the application when it
// looks, but looks only when a pod or the application changes: 2.x sets no SyncPeriod, and controller-runtime's default
// is about 10 h (cmd/operator/controller/start.go@v2.5.2).
func withoutDriver(app *snapshot.SparkApplication, driver snapshot.Ref, settles time.Duration, now time.Time) check.Finding {
	f := check.Finding{
		Fixes: []fix.Intent{fix.Touch{Application: app.Ref, State: app.State, At: now,
			Consequence: "it finds no driver, marks the run as failed and follows restartPolicy"}},
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Message: fmt.Sprintf("%s, submitted %s, but driver pod %q does not exist", app.State,
			facts.When(app.LastSubmissionAttempt, now), driver.Name),
		Evidence: []check.Evidence{
			{Object: app.Ref, Field: "status.applicationState.state", Value: app.State},
			{Object: app.Ref, Field: "status.lastSubmissionAttemptTime", Value: app.LastSubmissionAttempt.Format(time.RFC3339)},
			{Object: driver, Field: "metadata.name", Value: "not found"},
		},
		Related:      []snapshot.Ref{driver},
		Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.SparkPods, Ref: driver}}, Settles: settles},
	}
	f.Then(command.Do("see who removed the driver pod, while events last").
		With("kubectl -n %s events --for pod/%s", driver.Namespace, driver.Name))
	f.ThenRepair("make the operator look at the application again: it fails the run and follows restartPolicy")
	return f
}
