package facts

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// VersionCertainty is likely for a build that is no known release: what it does is assumed.
func VersionCertainty(in *operator.Installation) check.Certainty {
	if in.Recognised {
		return check.Proven
	}
	return check.Likely
}

// Subjects are the objects that an installation reconciles.
type Subjects struct {
	Apps     []*snapshot.SparkApplication
	Connects []*snapshot.SparkConnect
}

// DefectOf reports a defect of an installation if all that it needs is there.
func DefectOf(in *operator.Installation, defect operator.Defect, mine Subjects, s *snapshot.Snapshot,
	p check.Params) (check.Finding, bool) {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Certainty: VersionCertainty(in),
		Identity: check.Identity{What: defect.ID},
		Field:    "spec.template.spec.containers",
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated},
			{Object: d.Ref, Field: "fixed in", Value: defect.FixedIn() + " (" + defect.Source + ")"}},
	}
	if defect.Harm == operator.Stops {
		f.Severity = check.Error
	}
	f.Message = fmt.Sprintf("operator %s %s (fixed in %s)", in.Stated, defect.Does, defect.FixedIn())
	if defect.Installation != nil {
		use, shows := defect.Installation(in.Setup())
		if !shows {
			return f, false
		}
		f.Saw(d.Ref, use.Field, use.Value)
	}
	switch {
	case defect.Connect != nil:
		return f, ranIntoBy(&f, &defect, mine.Connects, s, p)
	case defect.Application == nil:
		return f, true
	}
	var first *snapshot.SparkApplication
	for _, app := range mine.Apps {
		use, asks := defect.Application(app)
		spared := defect.Spared != nil && defect.Spared(app, s.TakenAt, p.NewAfter)
		if !asks || spared || app.Created.IsZero() {
			continue
		}
		if first == nil {
			first = app
		}
		f.Objects = append(f.Objects, app.Ref)
		if len(f.Objects) <= ShownApps {
			f.Saw(app.Ref, app.Path(use.Field), use.Value)
		}
	}
	if first == nil {
		return f, defect.Unused && len(mine.Apps) == 0 && !s.Excerpt()
	}
	f.Message += fmt.Sprintf("; this affects %s, such as %s/%s", RunsText(f.Objects), first.Namespace, first.Name)
	return f, true
}

// ranIntoBy adds the SparkConnects that have run into a defect, and reports whether there is any.
func ranIntoBy(f *check.Finding, defect *operator.Defect, connects []*snapshot.SparkConnect, s *snapshot.Snapshot, p check.Params) bool {
	for _, c := range connects {
		use, shows := defect.Connect(c, s.TakenAt, p.NewAfter)
		if !shows {
			continue
		}
		f.Objects = append(f.Objects, c.Ref)
		if len(f.Objects) <= ShownApps {
			f.Saw(c.Ref, use.Field, use.Value)
		}
	}
	if len(f.Objects) == 0 {
		return false
	}
	if defect.Unsure {
		f.Severity, f.Certainty = check.Warning, check.Likely
	}
	f.Message += fmt.Sprintf("; this affects %s, such as %s/%s", phrase.Counted(len(f.Objects), "SparkConnect"),
		f.Objects[0].Namespace, f.Objects[0].Name)
	return true
}
