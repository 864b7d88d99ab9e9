package check

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The checks about waivers.
const (
	expiredWaiverID = "SD0001"
	unusedWaiverID  = "SD0002"
	invalidWaiverID = "SD0003"
)

// OfWaivers returns the checks about waivers, area 0. They have no Run: Waive answers them, because they look at the
// results of the others.
func OfWaivers() []Check {
	return WithPages(pages,
		Check{
			ID: expiredWaiverID, Slug: "waiver-expired", Since: "0.1.0", Unscoped: true,
			Title: "a waiver has ended", Next: "repair what it covered, or give the waiver a new end; remove it if nothing is left to cover",
		},
		Check{
			ID: unusedWaiverID, Slug: "waiver-unused", Since: "0.1.0", Unscoped: true,
			Title: "a waiver covers nothing", Next: "remove it: it would hide the next finding of that kind",
		},
		Check{
			ID: invalidWaiverID, Slug: "waiver-unreadable", Since: "0.1.0", Unscoped: true,
			Title: "an annotation that should be a waiver cannot be read", Next: `write it as "CHECK: reason (until 2026-12-31)"`,
		},
	)
}

// ignoreField is where an annotation stands in an object.
const ignoreField = `metadata.annotations["` + snapshot.IgnoreAnnotation + `"]`

func expired(w *Waiver, covered int) Finding {
	f := aboutWaiver(w, Info)
	f.Message = fmt.Sprintf("the waiver of %s for %s held until %s and covers no finding", w.Check, w.subject(), w.LastDay())
	if covered > 0 {
		f.Severity = Warning
		f.Message = fmt.Sprintf("the waiver of %s for %s held until %s: %s again", w.Check, w.subject(), w.LastDay(), counts(covered))
	}
	return f
}

func counts(findings int) string {
	if findings == 1 {
		return "1 finding counts"
	}
	return fmt.Sprintf("%d findings count", findings)
}

func unused(w *Waiver) Finding {
	f := aboutWaiver(w, Info)
	f.Message = fmt.Sprintf("the waiver of %s for %s covers no finding", w.Check, w.subject())
	return f
}

func unreadable(o snapshot.Ignored, err error) Finding {
	return Finding{
		Object: o.Ref, App: sparkName(o.Ref), Location: o.Location, Severity: Warning, Field: ignoreField, What: err.Error(),
		Message:  "the annotation " + snapshot.IgnoreAnnotation + " hides nothing: " + err.Error(),
		Evidence: []Evidence{{o.Ref, ignoreField, o.Text}},
	}
}

func aboutWaiver(w *Waiver, severity Severity) Finding {
	field := map[WaiverOrigin]string{ByAnnotation: ignoreField, ByConfig: "waivers"}[w.By]
	return Finding{
		Object: w.Source, App: sparkName(w.Source), Location: w.Location, Severity: severity, Field: field, What: w.Check + " " + w.subject(),
		Evidence: []Evidence{{w.Source, cmp.Or(field, "value"), w.Check + " for " + w.subject() + ": " + cmp.Or(w.Reason, "no reason given")}},
	}
}

// sparkName is the name of a Spark object, by which it is found among those that labels select.
func sparkName(o snapshot.Ref) string {
	if o.Group() == snapshot.SparkGroup {
		return o.Name
	}
	return ""
}
