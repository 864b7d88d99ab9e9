package crds

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func undecodableApplication() check.Check {
	return check.Check{
		ID: "SD5003", Slug: "undecodable-application", Since: "0.1.0", Consequence: check.StopsAll,
		Title: "an object that the operator cannot decode blocks all others of its kind",
		Gate: check.Gate{
			Worse: "the new controller exits at start if it cannot decode an application; the running one keeps what it has cached"},

		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.ControllerStart, check.ControllerCache}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			bad := indigestible(p.Snapshot)
			for i := range installations {
				in := &installations[i]
				if !in.ScaledUp() {
					continue
				}
				a.Judged++
				a.Findings = append(a.Findings, stoppedBy(in, bad, waitingUnder(in, p.Snapshot, p.Params))...)
			}
			return a
		},
	}
}

// poison is an object that a typed decoder does not take.
type poison struct {
	*snapshot.Object
	path, text string
	template   bool // only releases that know pod templates stumble
}

// indigestible returns such objects. The rest of an object is described by the CRD, so that the API server has seen to its
// types, unless it was stored under a CRD that did not: then this program stumbles, too.
func indigestible(s *snapshot.Snapshot) (list []poison) {
	add := func(app *snapshot.SparkApplication) {
		switch u := app.Undecodable; {
		case app.Malformed != "":
			list = append(list, poison{&app.Object, "", app.Malformed, false})
		case u != nil:
			list = append(list, poison{&app.Object, app.Path(u.Path), u.Text, true})
		}
	}
	apps, schedules := s.SparkApplications(), s.ScheduledSparkApplications()
	for _, app := range apps {
		add(app)
	}
	for i := range schedules {
		add(schedules[i].Application())
	}
	return list
}

// waitingUnder are the applications of an installation that have waited for a state longer than it takes.
func waitingUnder(in *operator.Installation, s *snapshot.Snapshot, p check.Params) []snapshot.Ref {
	var out []snapshot.Ref
	for _, app := range s.SparkApplications() {
		if app.Malformed == "" && app.Undecodable == nil && app.State == "" && !app.Suspend && !app.Terminating() && in.Watches(app.Namespace) &&
			!app.Created.IsZero() && s.TakenAt.Sub(app.Created) > p.NewAfter {
			out = append(out, app.Ref)
		}
	}
	return out
}

// stoppedBy is one finding for each kind and kind of mistake. A list of which one item does not decode fails as a
// whole, and a watch ends with it (k8s.io/client-go tools/cache/reflector.go, k8s.io/apimachinery pkg/watch/
// streamwatcher.go). With --namespaces each namespace has its own; when the controller starts again, it needs all of them
// (sigs.k8s.io/controller-runtime pkg/internal/controller: cache sync timeout).
func stoppedBy(in *operator.Installation, bad []poison, waiting []snapshot.Ref) []check.Finding {
	at := map[string]int{}
	var out []check.Finding
	for _, b := range bad {
		if !in.Watches(b.Namespace) || b.template && !in.Facts().PodTemplates {
			continue
		}
		what := b.Kind + " " + cmp.Or(plainPath(b.path), b.text)
		i, seen := at[what]
		if !seen {
			at[what] = len(out)
			out = append(out, undecodable(in, b, what, waiting))
			continue
		}
		f := &out[i]
		if len(f.Objects) == 0 {
			f.Objects = []snapshot.Ref{f.Object}
		}
		f.Objects = append(f.Objects, b.Ref)
		if len(f.Evidence) <= facts.ShownApps {
			f.Evidence = append(f.Evidence, b.evidence())
		}
	}
	for i := range out {
		if f := &out[i]; len(f.Objects) > 0 {
			f.Message = fmt.Sprintf("%s, and %s: %s", f.Object, phrase.Counted(len(f.Objects)-1, "more object"), f.Message)
		}
	}
	return out
}

// plainPath is a path without the numbers of list entries.
func plainPath(path string) string {
	out, depth := make([]rune, 0, len(path)), 0
	for _, r := range path {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth == 0 {
				out = append(out, r)
			}
		}
	}
	return string(out)
}

func (b *poison) evidence() check.Evidence {
	if b.path == "" {
		return check.Evidence{Object: b.Ref, Field: "spec", Value: b.text}
	}
	return check.Evidence{Object: b.Ref, Field: b.path, Value: b.text}
}

func undecodable(in *operator.Installation, b poison, what string, waiting []snapshot.Ref) check.Finding {
	f := check.Finding{
		About: check.OfApp(b), Severity: check.Error, Certainty: facts.VersionCertainty(in),
		Field: b.path, Identity: check.Identity{What: what},
		Evidence: []check.Evidence{b.evidence(), {Object: in.Controller.Ref, Field: "version", Value: in.Stated}},
		Related:  append([]snapshot.Ref{in.Controller.Ref}, waiting...),
	}
	text := "correct " + cmp.Or(b.path, "the value")
	f.ThenIf(check.Single, command.Do("%s, or delete the object", text).On("edit", b.Ref))
	f.ThenIf(check.Many, command.Do("%s in each of them, or delete the object", text).On("edit", b.Ref))
	if in.Down() {
		f.Then(command.Restart("then restart the controller, which waits longer after each failure", in.Controller.Ref))
	}
	if !b.template {
		f.Certainty = check.Likely // its types are not ours, but close
	}
	where := "any namespace"
	if list := in.Namespaces(); list != nil {
		where = facts.NamespacesText(slices.Clone(list[:min(len(list), facts.MaxNamed)]))
		if len(list) > facts.MaxNamed {
			where += fmt.Sprintf(" and %d more", len(list)-facts.MaxNamed)
		}
	}
	f.Message = fmt.Sprintf("%s %s: operator %s cannot decode it, so it reconciles no new %s of %s",
		cmp.Or(b.path, "it does not decode:"), b.text, in.Stated, b.Kind, where)
	if len(waiting) > 0 {
		f.Message += fmt.Sprintf(", and fails at its next start; %s already", facts.Waits(len(waiting)))
	} else {
		f.Message += ", and fails at its next start"
	}
	return f
}
