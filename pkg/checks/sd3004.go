package checks

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func objectOversized() Check {
	return Check{
		ID: "SD3004", Slug: "object-oversized", Since: "0.1.0",
		Title:   "a SparkApplication takes a large share of what one object may hold",
		Next:    "make the largest part smaller: long arguments and configuration belong into a ConfigMap or the image",
		Needs:   []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}},
		Repairs: []fix.Intent{fix.DropAnnotation{Object: kindOf(snapshot.SparkApplications)}},
		Breaks:  []Part{StatusUpdate},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Judged: len(list), Unjudged: unjudged}
			for _, app := range list {
				severity, big := oversized(app.Sizes.Object, p.MaxObjectSize)
				if culprit := largestPart(app.Sizes); big && culprit.field != executorStateField {
					a.Findings = append(a.Findings, oversizedObject(app, severity, culprit, p.MaxObjectSize))
				}
			}
			return a
		},
	}
}

// oversizedObject states the finding. What grows besides the spec: 2.x stores all that a failed spark-submit wrote
// in errorMessage (internal/controller/sparkapplication/controller.go@v2.5.2, submitSparkApplication), and kubectl
// apply keeps a second copy of the manifest in an annotation. No part's content is shown.
func oversizedObject(app *snapshot.SparkApplication, severity Severity, culprit part, limit int) Finding {
	f := Finding{
		Object: app.Ref, Location: app.Location, App: app.Name, Severity: severity, Field: culprit.field,
		Message: fmt.Sprintf("%s stored, %s of the %s that one object may take; the largest part is %s with %s",
			bytesText(app.Sizes.Object), share(app.Sizes.Object, limit), bytesText(limit), cmp.Or(culprit.field, "metadata and other status"), bytesText(culprit.bytes)),
		Evidence: []Evidence{sizeEvidence(app, limit)},
	}
	if culprit.field == lastAppliedField {
		f.Fixes = []fix.Intent{fix.DropAnnotation{Object: app.Ref, Key: lastAppliedKey}}
	}
	of := partsOf(app.Sizes)
	parts := append(of[:], part{"spec.sparkConf", app.Sizes.SparkConf})
	for _, p := range parts {
		if p.bytes > 0 {
			f.Evidence = append(f.Evidence, Evidence{Object: app.Ref, Field: cmp.Or(p.field, "metadata and other status"), Value: fmt.Sprintf("%d bytes", p.bytes)})
		}
	}
	return f
}
