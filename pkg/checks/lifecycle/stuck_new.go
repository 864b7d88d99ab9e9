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

func stuckNew() check.Check {
	return check.Check{
		ID: "SD6001", Slug: "stuck-new", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "an application has no state although a running controller watches its namespace",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{CausedBy: stuckCauses(check.Cause{Breaks: check.ControllerCache, Where: waitsForCache},
			check.Cause{Breaks: check.SingleSubmission, Where: submittedBefore})},
		Requires: []check.Requirement{facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			k, waiting := facts.Controllers().Of(p), facts.Waiting{}
			pace, unsure := map[*operator.Installation]progress{}, 0
			for _, app := range list {
				if in, _ := k.Of(app); in != nil && app.State != "" {
					pace[in] = pace[in].with(app)
				}
			}
			for _, app := range list {
				if app.State != "" || app.Suspend || app.Terminating() || app.Created.IsZero() || p.TakenAt.Sub(app.Created) <= p.NewAfter {
					continue
				}
				switch in, sure := k.Of(app); {
				case in == nil && p.CoversAll(snapshot.Deployments): // SD5001's
				case in == nil, !sure:
					unsure++
				case in.Down():
					waiting.Add(in)
				default:
					f := newSince(app, in, pace[in], p.Snapshot, p.Params)
					if f.What == noSubmissions && p.Excerpt() {
						unsure++ // the controller may be busy with others, or another one may take it
						continue
					}
					a.Findings = append(a.Findings, f)
				}
			}
			a.PassOver(unsure,
				fmt.Sprintf(
					"whether a controller takes %s that stay new depends on operators, other applications or labels of namespaces that were not seen",
					phrase.Counted(unsure, "application")))
			waiting.Leave(&a)
			return a
		},
	}
}

// noSubmissions says that nothing shows the controller at work, which takes everything that it could work on to tell.
const noSubmissions = "idle"

// progress is how far a controller has come with what it was given.
type progress struct {
	last  time.Time // when it last submitted an application
	given time.Time // when the latest was made of those that it submitted
}

func (p progress) with(app *snapshot.SparkApplication) progress {
	if app.LastSubmissionAttempt.After(p.last) {
		p.last = app.LastSubmissionAttempt
	}
	if !app.LastSubmissionAttempt.IsZero() && app.Created.After(p.given) {
		p.given = app.Created
	}
	return p
}

// newSince states that nobody took the application up. The controller writes a state as soon as it has tried to submit
// one. What it passes over it cannot handle, and a panic or an object that it cannot decode stops it for all (#2459); but
// thousands at once wait for their turn (#1990, #2374).
func newSince(app *snapshot.SparkApplication, in *operator.Installation, pace progress, s *snapshot.Snapshot,
	p check.Params) check.Finding {
	now := s.TakenAt
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Verdict:  check.Verdict{Brief: "waiting for " + in.Controller.Name, Since: app.Created},
		Identity: check.Identity{Shared: "new " + in.Controller.Namespace + "/" + in.Controller.Name},
		Related:  []snapshot.Ref{in.Controller.Ref},
		Evidence: []check.Evidence{
			stateOf(app), {Object: app.Ref, Field: "metadata.creationTimestamp", Value: app.Created.Format(time.RFC3339)},
			{Object: in.Controller.Ref, Field: "spec.template", Value: "watches namespace " + app.Namespace},
		},
	}
	f.Message = fmt.Sprintf("still no state %s after it was created, although %s watches its namespace",
		facts.Age(app.Created, now), in.Controller)
	last := pace.last.Format(time.RFC3339)
	switch {
	case pace.given.Sub(app.Created) > p.NewAfter:
		f.What = "passed"
		readLog(&f, in)
		f.Message += fmt.Sprintf(" and has submitted applications created up to %s later", phrase.Span(pace.given.Sub(app.Created)))
	case pace.last.After(app.Created) && now.Sub(pace.last) <= p.NewAfter:
		f.What, f.Severity = "queued", check.Warning
		readLogIf(&f, check.Caused, in)
		f.ThenIf(check.Uncaused, command.Raise(in, command.Workers(in, fmt.Sprint(2*max(in.Workers(), 10)))))
		f.Message += ": it is busy with earlier ones, and last submitted one " + facts.When(pace.last, now)
	default:
		f.What = noSubmissions
		readLog(&f, in)
		f.ThenIf(check.Uncaused, command.Restart("restart the controller: it reconciles nothing", in.Controller.Ref))
		f.Message += " and has submitted nothing since"
	}
	f.Shared = f.What + " " + f.Shared
	if !pace.last.IsZero() {
		f.Evidence = append(f.Evidence, check.Evidence{Object: in.Controller.Ref, Field: "status.lastSubmissionAttemptTime",
			Value: "of the application that it submitted last: " + last})
	}
	if !in.Recognised {
		f.Certainty = check.Likely
	}
	return f
}
