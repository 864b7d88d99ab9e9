package lifecycle

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func executorsOverQuota() check.Check {
	return check.Check{
		ID: "SD6015", Slug: "executors-over-quota", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "a job lacks executors, and a quota of its namespace has no room for them",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Absence:  true,
		Requires: []check.Requirement{facts.Quotas()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			quotas := facts.Quotas().Of(p)
			for _, app := range list {
				if app.State != "RUNNING" || app.Terminating() || facts.DriverElsewhere(app) || facts.Allocates(app) ||
					app.LastSubmissionAttempt.IsZero() ||
					p.TakenAt.Sub(app.LastSubmissionAttempt) <= p.SubmittedAfter {
					continue
				}
				if driver := facts.DriverOf(p.Snapshot, app); driver == nil || driver.Terminating() || driver.Phase != "Running" ||
					driverHasEnded(driver) {
					continue
				}
				there, size := executorsThere(p.Snapshot, app)
				if there >= app.ExecutorInstances {
					continue
				}
				for _, q := range quotas[app.Namespace] {
					if limit := facts.NoRoom(q, size); limit != nil {
						a.Findings = append(a.Findings, overQuota(app, q, limit, there))
						break
					}
				}
			}
			return a
		},
	}
}

// executorsThere returns how many executors of the run exist, and what one of them asks for.
func executorsThere(s *snapshot.Snapshot, app *snapshot.SparkApplication) (alive int, size snapshot.Requests) {
	for _, pod := range s.PodsOf(app.Namespace, app.Name) {
		if pod.Role() != facts.ExecutorRole || pod.SubmissionID() != app.SubmissionID {
			continue
		}
		size = pod.Requests
		if pod.Alive() {
			alive++
		}
	}
	return alive, size
}

// overQuota states that the API server refuses executors. The driver makes them itself, so that no object tells: Spark logs
// the refusal and tries again with the next snapshot of its pods (ExecutorPodsAllocator@spark-3.5.5). Likely, for an executor
// may also be about to be replaced.
func overQuota(app *snapshot.SparkApplication, q *snapshot.ResourceQuota, limit *snapshot.QuotaLimit, there int) check.Finding {
	used := fmt.Sprintf("%s: %s of %s used", limit.Resource, limit.Used, limit.Hard)
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Warning, Certainty: check.Likely,
		Field:    "spec.executor.instances",
		Identity: check.Identity{Shared: "quota " + q.Namespace + "/" + q.Name}, Related: []snapshot.Ref{q.Ref},
		Message: fmt.Sprintf(
			"%d of %s exist, and %s has no room for another (%s): the API server rejects their pods, and only the driver's log says so",
			there, phrase.Counted(app.ExecutorInstances, "executor"), q.Ref, used),
		Evidence: []check.Evidence{
			stateOf(app), {Object: app.Ref, Field: "spec.executor.instances", Value: fmt.Sprint(app.ExecutorInstances)},
			{Object: q.Ref, Field: "status.used", Value: used},
		},
	}
	f.Then(command.Do("see what uses %s of the quota; raise it, or lower spec.executor.instances", limit.Resource).On("describe", q.Ref))
	return f
}
