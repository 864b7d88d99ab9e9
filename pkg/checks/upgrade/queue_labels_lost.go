package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func queueLabelsLost() check.Check {
	return check.Check{
		ID: "SD7017", Slug: "queue-labels-lost", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "the target release no longer copies the Kueue label of an application to its pods",
		Gate:  check.Gate{Break: operator.QueueLabelsSince()},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			u, mine := p.Upgrade, upgraded(p)
			for _, app := range p.SparkApplications() {
				o := &app.Object
				queue, labelled := o.Labels.Lookup(operator.QueueLabel)
				if !labelled || !mine(o.Namespace) || o.Terminating() || knownToHaveEnded(app) {
					continue
				}
				field := fmt.Sprintf("metadata.labels[%q]", operator.QueueLabel)
				a.Findings = append(a.Findings, check.Finding{
					// Where Kueue queues the application itself, as it can since it knows SparkApplications, that is as it should be.
					About: check.OfApp(o), Severity: check.Warning, Certainty: check.Likely, Field: field,
					Message: fmt.Sprintf(
						"operator %s does not copy label %s to its pods: if Kueue queues pods, they will start without waiting for queue %s", u.To,
						operator.QueueLabel, queue),
					Evidence: []check.Evidence{{Object: o.Ref, Field: field, Value: queue}},
					Next: []check.Step{{When: check.Before,
						Do: "label the pods with spec.driver.labels and spec.executor.labels, unless Kueue queues the SparkApplication itself"}},
				})
			}
			return a
		},
	}
}
