package check

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The checks about suppressions.
const (
	expiredSuppressionID    = "SD0001"
	unusedSuppressionID     = "SD0002"
	unreadableSuppressionID = "SD0003"
)

// SuppressionChecks returns the checks about suppressions, area 0. They have no Run: Suppress answers them, because they look at the
// results of the others.
func SuppressionChecks() []Check {
	return WithPages(pages,
		Check{
			ID: expiredSuppressionID, Slug: "suppression-expired", Former: "waiver-expired", Since: "0.1.0", Unscoped: true,
			Consequence: Wastes,
			Title:       "a suppression has expired",
		},
		Check{
			ID: unusedSuppressionID, Slug: "suppression-unused", Former: "waiver-unused", Since: "0.1.0", Unscoped: true,
			Consequence: Wastes,
			Title:       "a suppression matches no finding",
		},
		Check{
			ID: unreadableSuppressionID, Slug: "suppression-unreadable", Former: "waiver-unreadable", Since: "0.1.0", Unscoped: true,
			Consequence: Wastes,
			Title:       "the annotation sparkdoctor.io/ignore cannot be parsed",
		},
	)
}

// withdrawn is where a suppression is changed: in an annotation, or where the user wrote it.
func withdrawn(f *Finding, text string) Command {
	if f.Field == ignoreField {
		return Command{Text: text}.On("edit", f.Object)
	}
	return Command{Text: text}
}

// ignoreField is where an annotation stands in an object.
const ignoreField = `metadata.annotations["` + snapshot.IgnoreAnnotation + `"]`

func expired(w *SuppressionRule, covered int) Finding {
	f := aboutSuppression(w, Info)
	f.Message = fmt.Sprintf("the suppression of %s for %s expired after %s and covers no finding", w.Check, w.subject(), w.LastDay())
	if covered > 0 {
		f.Severity = Warning
		f.Message = fmt.Sprintf("the suppression of %s for %s expired after %s: %s again", w.Check, w.subject(), w.LastDay(), counts(covered))
		f.Then(withdrawn(&f, "repair what counts again, or give the suppression a later day"))
	} else {
		f.Then(withdrawn(&f, "remove the suppression, which covers nothing"))
	}
	return f
}

func counts(findings int) string {
	if findings == 1 {
		return "1 finding counts"
	}
	return fmt.Sprintf("%d findings count", findings)
}

func unused(w *SuppressionRule) Finding {
	f := aboutSuppression(w, Info)
	f.Message = fmt.Sprintf("the suppression of %s for %s covers no finding", w.Check, w.subject())
	f.Then(withdrawn(&f, "remove the suppression: it would hide the next finding of that kind"))
	return f
}

func unreadable(o snapshot.Ignored, err error) Finding {
	f := Finding{
		About:    placed(o.Ref, o.Location),
		Severity: Warning, Field: ignoreField, Identity: Identity{What: err.Error()},
		Message:  "the annotation " + snapshot.IgnoreAnnotation + " hides nothing: " + err.Error(),
		Evidence: []Evidence{{o.Ref, ignoreField, o.Text}},
	}
	f.Then(command.Do(`write the annotation as "CHECK: reason (until 2026-12-31)"`).On("edit", o.Ref))
	return f
}

func aboutSuppression(w *SuppressionRule, severity Severity) Finding {
	field := map[SuppressionOrigin]string{ByAnnotation: ignoreField, ByConfig: "suppressions"}[w.By]
	return Finding{
		About:    placed(w.Source, w.Location),
		Severity: severity, Field: field, Identity: Identity{What: w.Check + " " + w.subject()},
		Evidence: []Evidence{{w.Source, cmp.Or(field, "value"), w.Check + " for " + w.subject() + ": " + cmp.Or(w.Reason, "no reason given")}},
	}
}

// placed is about an object that says of itself no more than where it stands.
func placed(o snapshot.Ref, at snapshot.Location) About {
	return About{Object: o, App: sparkName(o), Seen: &snapshot.Object{Ref: o, Location: at}}
}

// sparkName is the name of a Spark object, by which it is found among those that labels select.
func sparkName(o snapshot.Ref) string {
	if o.Group() == snapshot.SparkGroup {
		return o.Name
	}
	return ""
}
