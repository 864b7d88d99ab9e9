package checks

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckNew() Check {
	return Check{
		ID: stuckNewID, Slug: "stuck-new", Since: "0.1.0",
		Title: "an application stays new although a controller watches its namespace",
		Next:  "read what the controller logs about the application; if it moves no other either, restart it",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			k, waiting := newKeepers(s), idle{}
			moved, unsure := map[snapshot.Key]time.Time{}, 0
			for _, app := range list {
				if in, _ := k.of(app); in != nil && app.LastSubmissionAttempt.After(moved[in.Controller.Key()]) {
					moved[in.Controller.Key()] = app.LastSubmissionAttempt
				}
			}
			for _, app := range list {
				if app.State != "" || app.Suspend || app.Terminating() || app.Created.IsZero() || s.TakenAt.Sub(app.Created) <= p.NewAfter {
					continue
				}
				switch in, sure := k.of(app); {
				case in == nil: // SD5001's
				case !sure:
					unsure++
				case in.Down():
					waiting.add(in)
				default:
					a.Findings = append(a.Findings, newSince(app, in, moved[in.Controller.Key()], s.TakenAt))
				}
			}
			if unsure > 0 {
				a.Unjudged = append(a.Unjudged, fmt.Sprintf("whether a controller takes %s that stay new depends on labels of namespaces that were not seen", counted(unsure, "application")))
			}
			a.Unjudged = append(a.Unjudged, waiting.reasons()...)
			return a
		},
	}
}

// newSince states that nobody took the application up. The controller writes a state as soon as it has tried to submit
// one, and a panic or an object that it cannot decode stops it for all (#2459); others that it submitted since tell which.
func newSince(app *snapshot.SparkApplication, in *operator.Installation, moved, now time.Time) Finding {
	f := Finding{
		Object: app.Ref, Location: app.Location, App: app.Name, Severity: Error, Field: "status.applicationState.state",
		Shared:  "new " + in.Controller.Namespace + "/" + in.Controller.Name,
		Related: []snapshot.Ref{in.Controller.Ref},
		Evidence: []Evidence{
			stateOf(app), {Object: app.Ref, Field: "metadata.creationTimestamp", Value: app.Created.Format(time.RFC3339)},
			{Object: in.Controller.Ref, Field: "spec.template", Value: "watches namespace " + app.Namespace},
		},
	}
	f.Message = fmt.Sprintf("still new %s after it was made, though %s watches its namespace", duration.HumanDuration(now.Sub(app.Created)), in.Controller)
	switch {
	case moved.After(app.Created):
		f.Message += ", and has submitted others since"
		f.Evidence = append(f.Evidence, Evidence{Object: in.Controller.Ref, Field: "status.lastSubmissionAttemptTime", Value: "of the last application that it submitted: " + moved.Format(time.RFC3339)})
	default:
		f.Message += "; it has submitted no other since"
	}
	if !in.Recognised {
		f.Certainty = Likely
	}
	return f
}
