package upgrade

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func applicationInTransition() check.Check {
	return check.Check{
		ID: "SD7004", Slug: "application-in-transition", Since: "0.1.0", Consequence: check.LosesWork,
		Title: "applications are between two states, and the upgrade replaces the controller that moves them on",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			u, mine := p.Upgrade, upgraded(p)
			byState := map[string][]*snapshot.SparkApplication{}
			for _, app := range list {
				switch {
				case !mine(app.Namespace) || !mayPick(u, app.Labels):
				case app.Terminating() || app.Created.IsZero():
				case app.State == "" && app.Suspend:
				default:
					byState[app.State] = append(byState[app.State], app)
				}
			}
			for _, t := range transitions() {
				if apps := byState[t.state]; len(apps) > 0 {
					a.Findings = append(a.Findings, t.finding(apps))
				}
			}
			return a
		},
	}
}

// transition is a state that the controller leaves by itself, and what a change of controllers does to it.
type transition struct{ state, risk string }

// transitions lists them (api/v1beta2/sparkapplication_types.go@v2.5.2).
func transitions() []transition {
	const (
		// submitSparkApplication, internal/controller/sparkapplication/controller.go@v2.5.2: the state is written after spark-submit.
		cutOff   = "if the rollout interrupts a submission, its driver runs unrecorded and the operator submits again (#2788)"
		takeOver = "the new controller must continue where the old one stopped"
	)
	return []transition{
		{"", cutOff}, {"PENDING_RERUN", cutOff}, {"SUBMISSION_FAILED", cutOff}, {"RESUMING", cutOff},
		{"SUBMITTED", takeOver}, {"SUCCEEDING", takeOver}, {"FAILING", takeOver}, {"INVALIDATING", takeOver}, {"SUSPENDING", takeOver},
	}
}

func (t transition) finding(apps []*snapshot.SparkApplication) check.Finding {
	first, name := apps[0], cmp.Or(t.state, "new and not yet reconciled")
	f := check.Finding{
		About: check.Of(first), Severity: check.Warning, Identity: check.Identity{What: name},
		Field:   "status.applicationState.state",
		Message: fmt.Sprintf("%s %s: %s", phrase.CountedAre(len(apps), "application"), name, t.risk),
	}
	for i, app := range apps {
		f.Objects = append(f.Objects, app.Ref)
		if i < facts.ShownApps {
			f.Saw(app.Ref, f.Field, cmp.Or(app.State, "not set"))
		}
	}
	f.Next = []check.Step{{When: check.Before, Do: "wait until no application is between two states",
		Command: "kubectl get sparkapplications.sparkoperator.k8s.io -A"}}
	return f
}
