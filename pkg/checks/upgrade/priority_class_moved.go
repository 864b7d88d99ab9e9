package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func priorityClassMoved() check.Check {
	return check.Check{
		ID: "SD7012", Slug: "priority-class-moved", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "pods lose their priority class: 2.x does not read it from batchSchedulerOptions",
		Gate:     check.Gate{Break: operator.PriorityClassMoved()},
		Needs:    specNeeds(),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, mine := p.Upgrade, upgraded(p)
			a := check.Answer{Unjudged: unreadSpecs(p.Snapshot)}
			if u.Installation != nil && u.Installation.Webhook == nil {
				return a // it is the webhook that puts it on pods
			}
			for spec := range specsFields(p.Snapshot) {
				a.Judged++
				if spark.PriorityClass(spec.ReleaseDependentFields) == "" || spec.Over || !spec.mayGoTo(mine) {
					continue
				}
				a.Findings = append(a.Findings, losesPriority(&spec, u))
			}
			return a
		},
	}
}

// losesPriority states the finding. What runs keeps its pods; executors that come later and the next run have no priority.
// Where no operator was seen, nobody knows whether its webhook put the class on pods.
func losesPriority(spec *specFields, u *check.Upgrade) check.Finding {
	field := spec.Path + ".batchSchedulerOptions.priorityClassName"
	f := check.Finding{
		About: check.OfApp(spec), Severity: check.Warning, Field: field,
		Message: fmt.Sprintf(
			"its pods get priority class %q from batchSchedulerOptions now; operator %s sets that only on Volcano's PodGroup: new pods have none",
			spark.PriorityClass(spec.ReleaseDependentFields), u.To),
		Evidence: []check.Evidence{{Object: spec.Ref, Field: field, Value: spark.PriorityClass(spec.ReleaseDependentFields)}},
		Next: []check.Step{{
			When: check.After,
			Do:   "set driver.priorityClassName and executor.priorityClassName, which the CRDs have now, in the manifests",
		}},
	}
	if spec.Path != "spec" {
		f.What = spec.Path
	}
	if u.Installation == nil {
		f.Certainty = check.Likely
	}
	return f
}
