package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func targetDefects() check.Check {
	return check.Check{
		ID: "SD7002", Slug: "target-defects", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "the target release has a defect that the installed one does not have, and something here triggers it",
		Unscoped: true,
		Needs:    RunsNeeds(snapshot.Everywhere),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := Runs(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			u, mine := p.Upgrade, upgraded(p)
			in := u.Incoming()
			if in == nil {
				a.Unjudged = append(a.Unjudged, NoOperatorSeen)
				return a
			}
			a.Judged++
			var apps []*snapshot.SparkApplication
			for _, app := range list {
				if mine(app.Namespace) && in.Picks(app.Labels) && !app.Terminating() {
					apps = append(apps, app)
				}
			}
			for _, d := range operator.DefectsOf(u.To) {
				if d.Check != "" || d.Connect != nil || d.In(u.From) {
					continue // what only a status shows says nothing of the release to come
				}
				d.Spared = nil // how it went so far says nothing of the release to come
				if f, shows := facts.DefectOf(in, d, facts.Subjects{Apps: apps}, p.Snapshot, p.Params); shows {
					a.Findings = append(a.Findings, brought(u, f, d))
				}
			}
			return a
		},
	}
}

const NoOperatorSeen = "no operator was seen, and no manifests of the target were given"

// brought makes a finding about a release to come of one about an operator. What an installation is set up for is taken
// over from the one that is there, unless rendered manifests say so.
func brought(u *check.Upgrade, f check.Finding, d operator.Defect) check.Finding {
	f.Object = ReleaseRef(u)
	f.Hop = u.FirstHop(d.In)
	f.Evidence[0] = check.Evidence{Object: f.Object, Field: "target version", Value: u.To.String()}
	for i := range f.Evidence {
		if f.Evidence[i].Object.Kind == f.Object.Kind {
			f.Evidence[i].Object = f.Object
		}
	}
	if d.Installation != nil && u.Coming() == nil {
		f.Severity, f.Certainty = min(f.Severity, check.Warning), check.Likely
	}
	if !d.Mended() {
		f.Next = []check.Step{{When: check.Before, Do: "stop using what triggers " + d.ID}}
	} else {
		instead := d.FixedIn()
		if fatal, is := operator.FatalAs(d.Until); is {
			instead = fatal.Next
		}
		f.Next = []check.Step{{When: check.Before, Do: fmt.Sprintf("choose %s instead, or stop using what triggers %s", instead, d.ID),
			Command: command.Line("kubectl sparkdoctor gate --to %s", instead)}}
	}
	return f
}
