package installation

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func twoOperators() check.Check {
	return check.Check{
		ID: "SD5004", Slug: "two-operators-one-namespace", Since: "0.1.0", Consequence: check.LosesWork,
		Title: "two operators reconcile the same namespace",
		Gate:  check.Gate{Worse: "only one of the two is upgraded: from then on two releases reconcile the same applications"},

		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.MutatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.SparkPods, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.SingleOperator}},
		Requires:  []check.Requirement{facts.Covered()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			o := overlaps{coverage: facts.Covered().Of(p), apps: map[string][]*snapshot.SparkApplication{}}
			for _, app := range list {
				if !app.Terminating() {
					o.apps[app.Namespace] = append(o.apps[app.Namespace], app)
				}
			}
			running := o.running()
			a.Judged = len(running)
			for i, in := range running {
				var shared []overlap
				for _, other := range running[:i] {
					if one, found := o.between(in, other); found {
						shared = append(shared, one)
					}
				}
				if len(shared) > 0 {
					a.Findings = append(a.Findings, o.finding(in, shared))
				}
			}
			return a
		},
	}
}
