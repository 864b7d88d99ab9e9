package checks

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckSubmitted() Check {
	return Check{
		ID: stuckSubmittedID, Slug: "stuck-submitted", Since: "0.1.0",
		Title:   "an application is submitted and its job does not start",
		Next:    "give the pods what they wait for; the operator itself never gives up waiting",
		Repairs: []fix.Intent{fix.Kick{Application: kindOf(snapshot.SparkApplications)}},
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			{View: snapshot.WarningEvents, Role: snapshot.Consulted},
		}, keeperNeeds()...),
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			c := submissions{s: s, p: p, keepers: newKeepers(s), holdups: newHoldups(s), waiting: idle{}}
			c.executors = c.pendingRuns()
			for _, app := range list {
				if app.Terminating() || elsewhere(app) {
					continue
				}
				if f := c.judge(app); f != nil {
					a.Findings = append(a.Findings, *f)
				}
			}
			if c.gated > 0 {
				a.Unjudged = append(a.Unjudged, counted(c.gated, "application")+" whose pods are held back by a scheduling gate")
			}
			a.Unjudged = append(a.Unjudged, c.waiting.reasons()...)
			return a
		},
	}
}

// submissions judges applications between submission and work.
type submissions struct {
	s         *snapshot.Snapshot
	p         Params
	keepers   *keepers
	holdups   *holdups
	executors map[run][]*snapshot.Pod // alive, of runs of which some wait for too long
	waiting   idle
	gated     int
}

// run is one submission of an application.
type run struct{ namespace, app, submission string }

func runOf(pod *snapshot.Pod) run { return run{pod.Namespace, pod.App(), pod.SubmissionID()} }

// pendingRuns gathers the executors of the runs of which any has been pending for too long: a few of a hundred thousand.
func (c *submissions) pendingRuns() map[run][]*snapshot.Pod {
	out := map[run][]*snapshot.Pod{}
	pods := c.s.SparkPods()
	for _, pod := range pods {
		if pod.Phase == "Pending" && pod.Role() == executorRole && c.late(pod) && !pod.Terminating() {
			out[runOf(pod)] = nil
		}
	}
	if len(out) == 0 {
		return out
	}
	for _, pod := range pods {
		if pod.Role() != executorRole || !pod.Alive() || pod.Terminating() {
			continue
		}
		if list, pending := out[runOf(pod)]; pending {
			out[runOf(pod)] = append(list, pod)
		}
	}
	return out
}

func (c *submissions) judge(app *snapshot.SparkApplication) *Finding {
	driver := driverOf(c.s, app)
	switch {
	case app.State == "SUBMISSION_FAILED":
		return c.refused(app)
	case driver == nil || driver.Terminating():
		return nil // SD3005's
	case app.State == "SUBMITTED" && driver.Phase == "Pending":
		return c.pendingDriver(app, driver)
	case app.State == "SUBMITTED" && driver.Phase == "Running" && !driverHasEnded(driver):
		return c.unnoticed(app, driver)
	case app.State == "RUNNING" && driver.Phase == "Running" && !driverHasEnded(driver):
		return c.pendingExecutors(app, driver)
	default:
		return nil
	}
}

// late reports whether a pod has been there for longer than pods take to start.
func (c *submissions) late(pod *snapshot.Pod) bool {
	return !pod.Created.IsZero() && c.s.TakenAt.Sub(pod.Created) > c.p.SubmittedAfter
}

func (c *submissions) age(pod *snapshot.Pod) string {
	return duration.HumanDuration(c.s.TakenAt.Sub(pod.Created))
}

// pendingDriver states why the driver does not start. The operator has no time limit for that (#1737, #2667).
func (c *submissions) pendingDriver(app *snapshot.SparkApplication, driver *snapshot.Pod) *Finding {
	if !c.late(driver) {
		return nil
	}
	why := c.holdups.of(driver)
	if why.gated {
		c.gated++
		return nil
	}
	f := c.finding(app, driver, &why)
	f.What = "driver"
	f.Message = fmt.Sprintf("driver pod %q is Pending for %s: %s", driver.Name, c.age(driver), why.text)
	return f
}

// pendingExecutors states why no executor of a job runs, which then waits for the first.
func (c *submissions) pendingExecutors(app *snapshot.SparkApplication, driver *snapshot.Pod) *Finding {
	var first *snapshot.Pod
	var worst holdup
	gated := 0
	pending := c.executors[run{app.Namespace, app.Name, app.SubmissionID}]
	for _, pod := range pending {
		if pod.Phase != "Pending" || !c.late(pod) {
			return nil // one works, or may yet
		}
		why := c.holdups.of(pod)
		if why.gated {
			gated++
		} else if first == nil || why.severity > worst.severity {
			first, worst = pod, why
		}
	}
	if first == nil {
		if gated > 0 {
			c.gated++
		}
		return nil
	}
	f := c.finding(app, first, &worst)
	f.What = "executors"
	f.Message = fmt.Sprintf("driver pod %q runs, and none of its executors does; %s since %s, such as %q: %s",
		driver.Name, countedAre(len(pending), "pod")+" Pending", c.age(first), first.Name, worst.text)
	return f
}

func (c *submissions) finding(app *snapshot.SparkApplication, pod *snapshot.Pod, why *holdup) *Finding {
	for _, wish := range app.Wants(pod.Role()) {
		if wish.Field == snapshot.SchedulerName && why.unseen {
			why.text += fmt.Sprintf("; it asks for scheduler %q", wish.Name)
			why.shared += " " + wish.Name
		}
	}
	f := &Finding{
		Object: app.Ref, Location: app.Location, App: app.Name, Severity: why.severity, Field: "status.applicationState.state",
		Shared: why.shared, Related: []snapshot.Ref{pod.Ref},
		Evidence: append([]Evidence{stateOf(app), {Object: pod.Ref, Field: "status.phase", Value: pod.Phase}}, why.evidence...),
	}
	if why.missing.Name != "" {
		f.Related = append(f.Related, why.missing)
	}
	return f
}
