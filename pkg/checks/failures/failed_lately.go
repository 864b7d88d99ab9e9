package failures

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func failedLately() check.Check {
	return check.Check{
		ID: "SD8001", Slug: "failed-lately", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "an application failed lately",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Consulted},
			{View: snapshot.Deployments, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{CausedBy: failedCauses()},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			w := witness{s: p.Snapshot, messages: mechanism.NewMessages()}
			installations, ends := facts.Installations().Of(p), map[int]end{}
			for i, app := range list {
				if app.Terminating() || !failed(app, p.Params, p.TakenAt) || !lately(app, p.Params, p.TakenAt) {
					continue
				}
				if e, told := w.end(app); told {
					ends[i] = e
				}
			}
			alike := alikeIn(p.Snapshot, list, ends, p.Params)
			for i, app := range list {
				if e, told := ends[i]; told {
					f := failure(app, &e, p.TakenAt)
					if in := operator.For(installations, app.Namespace); in != nil && e.platform {
						for _, d := range in.Deployments() {
							f.Related = append(f.Related, d.Ref)
						}
					}
					if n := alike[app.Namespace]; n > 0 {
						f.Severity = check.Warning
						f.Message += fmt.Sprintf("; all %d runs of the namespace in the last %.0f h failed the same way", n, p.FailedWithin.Hours())
					}
					a.Findings = append(a.Findings, f)
				}
			}
			return a
		},
	}
}

// failed reports whether an application has failed for good. The operator submits again what it retries; SD6002 is about submissions that
// the API server refuses again and again.
func failed(app *snapshot.SparkApplication, p check.Params, now time.Time) bool {
	switch app.State {
	case "FAILED":
		return true
	case "SUBMISSION_FAILED":
		return app.Refusal == "" && now.Sub(app.LastSubmissionAttempt) > p.TransitionAfter
	default:
		return false
	}
}

// endedAt is when a run was over. A failed submission has no end (internal/controller/sparkapplication/controller.go@v2.5.2).
func endedAt(app *snapshot.SparkApplication) time.Time {
	if app.State == "SUBMISSION_FAILED" || app.Terminated.Before(app.LastSubmissionAttempt) {
		return app.LastSubmissionAttempt
	}
	return app.Terminated
}

func lately(app *snapshot.SparkApplication, p check.Params, now time.Time) bool {
	at := endedAt(app)
	return !at.IsZero() && now.Sub(at) <= p.FailedWithin
}

// fewestAlike is how many runs say that it is not one job's own fault.
const fewestAlike = 3

// alikeIn returns the namespaces of which every run that ended lately failed for one cause, and how many these are. An application that
// runs, one that completed, and one that may have been deleted after its time to live say that others do not fail.
func alikeIn(s *snapshot.Snapshot, list []*snapshot.SparkApplication, ends map[int]end, p check.Params) map[string]int {
	count := map[string]int{}
	cause := map[string]string{}
	differ := map[string]bool{}
	for i, app := range list {
		ns := app.Namespace
		e, told := ends[i]
		switch {
		case app.Lifetime.Limited && app.Lifetime.Span() < p.FailedWithin, app.State == "RUNNING", app.State == "SUCCEEDING":
			differ[ns] = true
		case told && e.alike:
			differ[ns] = differ[ns] || count[ns] > 0 && cause[ns] != e.key
			count[ns], cause[ns] = count[ns]+1, e.key
		case told, app.State == "COMPLETED" && (app.Terminated.IsZero() || lately(app, p, s.TakenAt)):
			differ[ns] = true
		case app.State == "FAILED" && lately(app, p, s.TakenAt): // for another reason, which another check tells
			differ[ns] = true
		}
	}
	out := map[string]int{}
	for ns, n := range count {
		if n >= fewestAlike && !differ[ns] && s.Covers(snapshot.SparkApplications, ns) {
			out[ns] = n
		}
	}
	return out
}

// failure states that an application failed, and of what.
func failure(app *snapshot.SparkApplication, e *end, now time.Time) check.Finding {
	at := endedAt(app)
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Info, Certainty: e.certainty,
		Field:    "status.applicationState.state",
		Identity: check.Identity{Kind: check.Kind(e.class), Fault: e.fault, Shared: app.Namespace + " " + e.key},
		Verdict:  check.Verdict{Since: at, Brief: e.text},
		Related:  e.related,
		Message:  fmt.Sprintf("%s %s: %s", app.State, facts.When(at, now), e.text),
		Evidence: []check.Evidence{{Object: app.Ref, Field: "status.applicationState.state", Value: app.State}},
	}
	f.Then(e.next...)
	askWhy(&f)
	if app.ErrorMessage != "" {
		f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: errorMessage, Value: recorded(app)})
	}
	f.Evidence = append(f.Evidence, e.evidence...)
	if !app.Terminated.IsZero() {
		f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: "status.terminationTime", Value: facts.Timestamp(app.Terminated)})
	}
	return f
}

// errorMessage is where the operator writes why.
const errorMessage = "status.applicationState.errorMessage"

// recorded is what the operator wrote: of a long message from spark-submit what the API server answered.
func recorded(app *snapshot.SparkApplication) string {
	if app.Refusal != "" {
		return app.Refusal
	}
	return app.ErrorMessage
}
