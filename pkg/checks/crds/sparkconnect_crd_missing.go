package crds

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func sparkConnectCRDMissing() check.Check {
	return check.Check{
		ID: "SD5011", Slug: "sparkconnect-crd-missing", Since: "0.1.0", Consequence: check.StopsAll,
		Title: "the SparkConnect CRD, which the operator needs to start, does not exist",
		Gate:  check.Gate{Worse: "the running controller started before the CRD was deleted; the new one exits"},

		Unscoped: true, Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorCRDs, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.ControllerStart, check.ControllerCache}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			crds := p.OperatorCRDs()
			has := func(name check.View) bool {
				return slices.ContainsFunc(crds, func(c snapshot.CRD) bool { return c.Name == string(name) })
			}
			installations := facts.Installations().Of(p)
			for i := range installations {
				in := &installations[i]
				starts := in.ScaledUp() && !in.Legacy() && operator.StartsConnect(in.Judged())
				switch {
				case starts && !has(snapshot.SparkApplications): // the operator has nothing to do, or a dump leaves CRDs out
					if p.Files || !p.CoversAll(snapshot.OperatorCRDs) {
						a.Unjudged = []string{"the operator's own CRDs were not seen"}
					}
					continue
				case starts || in.Controller != nil:
					a.Judged++
				}
				if starts && !has(snapshot.SparkConnects) {
					a.Findings = append(a.Findings, withoutConnect(in))
				}
			}
			return a
		},
	}
}

// withoutConnect states the finding. A manager starts all its controllers or none: one whose kind is not served ends it
// (sigs.k8s.io/controller-runtime pkg/internal/source/kind.go@v0.20.4).
func withoutConnect(in *operator.Installation) check.Finding {
	d := in.Controller
	crd := snapshot.Ref{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: string(snapshot.SparkConnects)}
	f := check.Finding{
		About: check.Of(d), Severity: check.Error, Certainty: facts.VersionCertainty(in),
		Field: "spec.template.spec.containers",
		Message: fmt.Sprintf(
			"operator %s watches SparkConnect, but CRD %s does not exist: it exits and restarts, and reconciles no application",
			in.Stated, crd.Name),
		Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.OperatorCRDs, Ref: crd}}},
		Evidence: []check.Evidence{
			{Object: d.Ref, Field: "version", Value: in.Stated}, {Object: d.Ref, Field: "status.readyReplicas",
				Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)},
		},
	}
	f.Then(command.CRDs(in, "apply the CRDs of the installed release, including that of SparkConnect"))
	return f
}
