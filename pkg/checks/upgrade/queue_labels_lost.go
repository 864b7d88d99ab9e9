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
		ID: "SD7017", Slug: "queue-labels-lost", Since: "0.1.0",
		Title: "an application has a label of Kueue that the target release no longer puts on its pods",
		Next:  "label the pods by spec.driver.labels and spec.executor.labels, or switch on Kueue's integration of SparkApplications",
		Break: operator.QueueLabelsSince(),
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
		}, facts.Consulted(facts.ControllerNeeds())...),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			var a check.Answer
			u, mine := p.Upgrade, upgraded(s, p.Upgrade)
			for _, app := range s.SparkApplications() {
				o := &app.Object
				queue, labelled := o.Labels.Lookup(operator.QueueLabel)
				if !labelled || !mine(o.Namespace) || o.Terminating() || app.Malformed == "" && app.Ended() {
					continue
				}
				field := fmt.Sprintf("metadata.labels[%q]", operator.QueueLabel)
				a.Findings = append(a.Findings, check.Finding{
					// Where Kueue queues the application itself, as it can since it knows SparkApplications, that is as it should be.
					Object: o.Ref, Location: o.Location, Labels: o.Labels, App: o.Name, Severity: check.Warning, Certainty: check.Likely, Field: field,
					Message: fmt.Sprintf(
						"operator %s does not put its label %s on its pods: where Kueue queues pods, they start without waiting for queue %s", u.To,
						operator.QueueLabel, queue),
					Evidence: []check.Evidence{{Object: o.Ref, Field: field, Value: queue}},
					Steps: []check.Step{{When: check.Before,
						Do: "label the pods by spec.driver.labels and spec.executor.labels, unless Kueue queues the SparkApplication itself"}},
				})
			}
			return a
		},
	}
}
