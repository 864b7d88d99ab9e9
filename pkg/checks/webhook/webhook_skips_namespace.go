package webhook

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookSkipsNamespace() check.Check {
	return check.Check{
		ID: "SD1007", Slug: "webhook-skips-namespace", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "an operator reconciles applications of a namespace whose pods its webhook does not see",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.MutatingWebhooks, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Admission: check.LinkSelector, Breaks: []check.Part{check.Mutation}},
		Requires:  []check.Requirement{facts.Covered()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			coverage := facts.Covered().Of(p)
			byNamespace := map[string][]*snapshot.SparkApplication{}
			for _, app := range list {
				if !app.Terminating() {
					byNamespace[app.Namespace] = append(byNamespace[app.Namespace], app)
				}
			}
			unclear, whole := 0, p.CoversAll(snapshot.MutatingWebhooks) && p.CoversAll(snapshot.Deployments) // another webhook may see them
			for _, name := range slices.Sorted(maps.Keys(byNamespace)) {
				f, verdict := coverage.Judge(name, byNamespace[name])
				switch {
				case verdict == facts.NotReconciled:
				case verdict == facts.Sees:
					a.Judged++
				case verdict == facts.Skips && whole:
					a.Judged++
					a.Findings = append(a.Findings, f)
				default:
					unclear++
				}
			}
			if unclear > 0 {
				a.Unjudged = append(a.Unjudged,
					fmt.Sprintf("whether %s covered depends on labels or webhooks that were not seen or on matchConditions, which are not evaluated",
						phrase.CountedAre(unclear, "namespace")))
			}
			return a
		},
	}
}
