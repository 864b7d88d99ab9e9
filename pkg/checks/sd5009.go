package checks

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func knownDefects() Check {
	return Check{
		ID: "SD5009", Slug: "known-defects-of-release", Since: "0.1.0",
		Title:    "an operator has a known defect, and what shows it is used here",
		Next:     "upgrade to the release that is named, or do without what shows the defect",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkConnects, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Breaks: []Part{Release},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			k := newKeepers(s)
			for _, in := range k.list {
				if in.Controller.Replicas == 0 || !applied(&in.Controller.Object) {
					continue
				}
				a.Judged++
				var mine subjects
				for _, app := range list {
					if yes, known := in.Reconciles(app.Namespace, k.namespaces[app.Namespace]); yes && known && in.Picks(app.Labels) && !app.Terminating() {
						mine.apps = append(mine.apps, app)
					}
				}
				connects := s.SparkConnects()
				for i := range connects {
					c := &connects[i]
					if yes, known := in.Reconciles(c.Namespace, k.namespaces[c.Namespace]); yes && known && !in.Down() && c.Malformed == "" && !c.Terminating() {
						mine.connects = append(mine.connects, c)
					}
				}
				for _, d := range operator.DefectsOf(in.Judged()) {
					if d.Check != "" {
						continue // that finds what it did
					}
					if f, shows := defectOf(in, d, mine, s, p); shows {
						if f.Severity == Error && slices.Contains(endsController(), d.ID) {
							f.Breaks = []Part{ControllerStart}
						}
						a.Findings = append(a.Findings, f)
					}
				}
			}
			return a
		},
	}
}

// subjects are the objects that an installation reconciles.
type subjects struct {
	apps     []*snapshot.SparkApplication
	connects []*snapshot.SparkConnect
}

// defectOf reports a defect of an installation if all that it needs is there.
func defectOf(in *operator.Installation, defect operator.Defect, mine subjects, s *snapshot.Snapshot, p Params) (Finding, bool) {
	d := in.Controller
	f := Finding{
		Object: d.Ref, Location: d.Location, Labels: d.Labels, Severity: Warning, Certainty: versionCertainty(in), What: defect.ID,
		Field:    "spec.template.spec.containers",
		Evidence: []Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}, {Object: d.Ref, Field: "fixed in", Value: defect.FixedIn() + " (" + defect.Source + ")"}},
	}
	if defect.Harm == operator.Stops {
		f.Severity = Error
	}
	f.Message = fmt.Sprintf("operator %s %s (fixed in %s)", in.Stated, defect.Does, defect.FixedIn())
	if defect.Installation != nil {
		use, shows := defect.Installation(in.Setup())
		if !shows {
			return f, false
		}
		f.Evidence = append(f.Evidence, Evidence{Object: d.Ref, Field: use.Field, Value: use.Value})
	}
	switch {
	case defect.Connect != nil:
		return f, ranIntoBy(&f, &defect, mine.connects, s, p)
	case defect.Application == nil:
		return f, true
	}
	var first *snapshot.SparkApplication
	for _, app := range mine.apps {
		use, asks := defect.Application(app)
		if !asks || defect.Spared != nil && defect.Spared(app, s.TakenAt, p.NewAfter) || app.Created.IsZero() {
			continue
		}
		if first == nil {
			first = app
		}
		f.Objects = append(f.Objects, app.Ref)
		if len(f.Objects) <= shownApps {
			f.Evidence = append(f.Evidence, Evidence{Object: app.Ref, Field: app.Path(use.Field), Value: use.Value})
		}
	}
	if first == nil {
		return f, false
	}
	f.Message += fmt.Sprintf("; it concerns %s, such as %s/%s", runsText(f.Objects), first.Namespace, first.Name)
	return f, true
}

// ranIntoBy adds the SparkConnects that have run into a defect, and reports whether there is any.
func ranIntoBy(f *Finding, defect *operator.Defect, connects []*snapshot.SparkConnect, s *snapshot.Snapshot, p Params) bool {
	for _, c := range connects {
		use, shows := defect.Connect(c, s.TakenAt, p.NewAfter)
		if !shows {
			continue
		}
		f.Objects = append(f.Objects, c.Ref)
		if len(f.Objects) <= shownApps {
			f.Evidence = append(f.Evidence, Evidence{Object: c.Ref, Field: use.Field, Value: use.Value})
		}
	}
	if len(f.Objects) == 0 {
		return false
	}
	if defect.Unsure {
		f.Severity, f.Certainty = Warning, Likely
	}
	f.Message += fmt.Sprintf("; it concerns %s, such as %s/%s", counted(len(f.Objects), "SparkConnect"), f.Objects[0].Namespace, f.Objects[0].Name)
	return true
}

// endsController names the defects that end the controller's process, or keep it from starting. The panic is caught since
// controller-runtime v0.19, which came with 2.1.1 (go.mod@v2.1.0 and @v2.1.1).
func endsController() []string { return []string{"lock-identity-empty", "gang-of-unknown-size"} }
