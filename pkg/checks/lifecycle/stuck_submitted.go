package lifecycle

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckSubmitted() check.Check {
	return check.Check{
		ID: "SD6002", Slug: "stuck-submitted", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:   "an application was submitted, and its job does not start",
		Repairs: []fix.Intent{fix.Touch{Application: facts.KindOf(snapshot.SparkApplications)}},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{CausedBy: stuckCauses(check.Cause{Breaks: check.DriverAccount, Where: check.RelatedMember},
			check.Cause{Breaks: check.ApplicationName, Where: unnoticedName})},
		Requires: []check.Requirement{facts.Controllers(), facts.Pending()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			c := submissions{s: p.Snapshot, p: p.Params, controllers: facts.Controllers().Of(p), reasons: facts.Pending().Of(p),
				waiting: facts.Waiting{}}
			c.executors = c.pendingRuns()
			for _, app := range list {
				if app.Terminating() || facts.DriverElsewhere(app) {
					continue
				}
				a.Findings = append(a.Findings, c.judge(app)...)
			}
			c.waiting.Leave(&a)
			return a
		},
	}
}

// submissions judges applications between submission and work.
type submissions struct {
	s           *snapshot.Snapshot
	p           check.Params
	controllers *facts.Assignment
	reasons     *facts.PendingReasons
	executors   map[run][]*snapshot.Pod // alive, of runs of which some wait for too long
	waiting     facts.Waiting
}

func (c *submissions) judge(app *snapshot.SparkApplication) []check.Finding {
	driver := facts.DriverOf(c.s, app)
	var one *check.Finding
	switch {
	case app.State == "SUBMISSION_FAILED":
		one = c.refused(app)
	case driver == nil || driver.Terminating():
		return nil // SD3005's
	case app.State == "SUBMITTED" && driver.Phase == "Pending":
		one = c.pendingDriver(app, driver)
	case app.State == "SUBMITTED" && driver.Phase == "Running" && !driverHasEnded(driver):
		one = c.unnoticed(app, driver)
	case app.State == "RUNNING" && driver.Phase == "Running" && !driverHasEnded(driver):
		return c.pendingExecutors(app, driver)
	}
	if one == nil {
		return nil
	}
	return []check.Finding{*one}
}

// late reports whether a pod has been there for longer than pods take to start.
func (c *submissions) late(pod *snapshot.Pod) bool {
	return !pod.Created.IsZero() && c.s.TakenAt.Sub(pod.Created) > c.p.SubmittedAfter
}

func (c *submissions) age(pod *snapshot.Pod) string {
	return facts.Age(pod.Created, c.s.TakenAt)
}

// pendingDriver states why the driver does not start. The operator has no time limit for that (#1737, #2667).
func (c *submissions) pendingDriver(app *snapshot.SparkApplication, driver *snapshot.Pod) *check.Finding {
	if !c.late(driver) {
		return nil
	}
	why := c.reasons.Of(driver, app.BatchQueue)
	if why.Gated {
		return nil // on purpose
	}
	f := c.finding(app, driver, &why)
	f.What = "driver"
	f.Brief = fmt.Sprintf("driver pod %q is Pending: %s", driver.Name, why.Text)
	f.Message = fmt.Sprintf("driver pod %q has been Pending for %s: %s", driver.Name, c.age(driver), why.Text)
	return f
}

func (c *submissions) finding(app *snapshot.SparkApplication, pod *snapshot.Pod, why *facts.PendingReason) *check.Finding {
	f := &check.Finding{
		About: check.OfApp(app), Severity: why.Severity, Certainty: why.Certainty,
		Field: "status.applicationState.state", Verdict: check.Verdict{Since: pod.Created},
		Identity: check.Identity{Shared: why.Shared}, Related: []snapshot.Ref{pod.Ref},
		Evidence: append([]check.Evidence{stateOf(app), {Object: pod.Ref, Field: "status.phase", Value: pod.Phase}}, why.Evidence...),
	}
	f.Then(why.Next(pod.Ref, facts.OwnerOf(app))...)
	if why.Missing.Name != "" {
		f.Related = append(f.Related, why.Missing)
	}
	return f
}
