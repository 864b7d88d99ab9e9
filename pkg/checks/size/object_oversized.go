package size

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func objectOversized() check.Check {
	return check.Check{
		ID: "SD3004", Slug: "object-oversized", Since: "0.1.0", Consequence: check.WillStop,
		Title:     "a SparkApplication takes a large share of etcd's limit for one object",
		Needs:     []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}},
		Repairs:   []fix.Intent{fix.DropAnnotation{Object: facts.KindOf(snapshot.SparkApplications)}},
		Relations: check.Relations{Breaks: []check.Part{check.StatusUpdate}},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			for _, app := range list {
				severity, big := oversized(app.Sizes.Object, p.MaxObjectSize)
				if culprit := largestPart(app.Sizes); big && culprit.field != facts.ExecutorStateField {
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
func oversizedObject(app *snapshot.SparkApplication, severity check.Severity, culprit part, limit int) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: severity, Field: culprit.field,
		Message: fmt.Sprintf("is %s, %s of etcd's limit of %s; the largest part is %s with %s",
			facts.BytesText(app.Sizes.Object), share(app.Sizes.Object, limit), facts.BytesText(limit),
			cmp.Or(culprit.field, "metadata and other status"), facts.BytesText(culprit.bytes)),
		Evidence: []check.Evidence{sizeEvidence(app, limit)},
	}
	switch culprit.field {
	case lastAppliedField:
		f.Fixes = []fix.Intent{fix.DropAnnotation{Object: app.Ref, Key: lastAppliedKey}}
		f.ThenRepair("remove the copy of the manifest from the annotations")
		f.Then(command.Do("apply it server-side from now on, which stores no copy: kubectl apply --server-side"))
	case "status.applicationState.errorMessage":
		f.Then(command.Do("read the error, correct its cause, and submit the application again").
			On("get", app.Ref, "-o jsonpath={.status.applicationState.errorMessage}"))
	case "spec.sparkConf":
		f.Then(command.Do("move settings from spec.sparkConf into a ConfigMap, and name it in spec.sparkConfigMap"))
	case "spec":
		f.Then(command.Do("move long arguments and env values of spec into a ConfigMap or the image"))
	default:
		f.Then(command.Do("find what is long in metadata and status").On("get", app.Ref, "-o yaml"))
	}
	of := partsOf(app.Sizes)
	parts := append(of[:], part{"spec.sparkConf", app.Sizes.SparkConf})
	for _, p := range parts {
		if p.bytes > 0 {
			f.Saw(app.Ref, cmp.Or(p.field, "metadata and other status"), fmt.Sprintf("%d bytes", p.bytes))
		}
	}
	return f
}
