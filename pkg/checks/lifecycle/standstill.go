package lifecycle

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// inStateSince returns when an application had reached its state at the latest. The API server dates what the operator
// writes; without managedFields the end of the last run is the nearest thing, for the states that follow one.
func inStateSince(app *snapshot.SparkApplication) (since time.Time, evidence check.Evidence) {
	if !app.StatusChanged.IsZero() {
		return app.StatusChanged, check.Evidence{Object: app.Ref, Field: "metadata.managedFields",
			Value: "status last written at " + app.StatusChanged.Format(time.RFC3339)}
	}
	if app.Terminated.After(app.LastSubmissionAttempt) {
		return app.Terminated, check.Evidence{Object: app.Ref, Field: "status.terminationTime", Value: app.Terminated.Format(time.RFC3339)}
	}
	return time.Time{}, check.Evidence{}
}

// undatedStates says how many applications are in a state of which nobody can tell since when.
func undatedStates(n int) string {
	return fmt.Sprintf("since when %s in its state, without managedFields", phrase.CountedAre(n, "application"))
}

// lookAgain is the text of a repair that has the operator reconcile an application.
const lookAgain = "make the operator look at the application again"

// readLog shows what the controller logs about the object of a finding.
func readLog(f *check.Finding, in *operator.Installation) { readLogIf(f, 0, in) }

func readLogIf(f *check.Finding, c check.Case, in *operator.Installation) {
	if in != nil && in.Controller != nil {
		f.ThenIf(c, command.Do("read what the controller logs about it").With("kubectl -n %s logs deployment/%s --since 1h | grep %s",
			in.Controller.Namespace, in.Controller.Name, f.Object.Name))
	}
}

func stateOf(app *snapshot.SparkApplication) check.Evidence {
	return check.Evidence{Object: app.Ref, Field: "status.applicationState.state", Value: app.State}
}

// standstill is an application that gets no further, since when, and what to say of it under its operator, nil if none was seen.
type standstill struct {
	since time.Time
	state func(in *operator.Installation) check.Finding
}

// standing completes a check of applications that stay in a state: look returns those that may. What waits for a controller of
// which no replica is ready is that one's fault; undated says how many stand still since nobody can tell when.
func standing(c check.Check, undated func(n int) string,
	look func(*snapshot.Snapshot) func(*snapshot.SparkApplication) *standstill) check.Check {
	c.Requires = []check.Requirement{facts.Controllers()}
	c.Run = func(p *check.Pass) check.Answer {
		list, unjudged := facts.Decoded(p.Snapshot)
		a := check.Answer{Judged: len(list), Unjudged: unjudged}
		k := facts.Controllers().Of(p)
		waiting := facts.Waiting{}
		unknown := 0
		stands := look(p.Snapshot)
		for _, app := range list {
			if app.Terminating() || facts.DriverElsewhere(app) {
				continue
			}
			one := stands(app)
			if one == nil {
				continue
			}
			switch in, _ := k.Of(app); {
			case in != nil && in.Down():
				waiting.Add(in)
			case one.since.IsZero():
				unknown++
			case p.TakenAt.Sub(one.since) > p.TransitionAfter:
				f := one.state(in)
				if len(f.Next) == 0 {
					readLog(&f, facts.OrOnly(in, facts.Installations().Of(p)))
				}
				a.Findings = append(a.Findings, f)
			}
		}
		a.PassOver(unknown, undated(unknown))
		waiting.Leave(&a)
		return a
	}
	return c
}
