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
		ID: "SD7012", Slug: "priority-class-moved", Since: "0.1.0",
		Title: "pods lose their priority class, which 2.x no longer takes from batchSchedulerOptions",
		Next:  "set spec.driver.priorityClassName and spec.executor.priorityClassName as well, once the CRDs of 2.x are there",
		Break: operator.PriorityClassMoved(),
		Needs: append(specNeeds(), facts.Consulted(facts.ControllerNeeds())...),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			u, mine := p.Upgrade, upgraded(s, p.Upgrade)
			a := check.Answer{Unjudged: unreadSpecs(s)}
			if u.Installation != nil && u.Installation.Webhook == nil {
				return a // it is the webhook that puts it on pods
			}
			for spec := range contestedSpecs(s) {
				a.Judged++
				if spark.PriorityClass(spec.Contested) == "" || spec.Over || spec.Namespace != "" && !mine(spec.Namespace) {
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
func losesPriority(spec *contestedSpec, u *check.Upgrade) check.Finding {
	field := spec.Path + ".batchSchedulerOptions.priorityClassName"
	f := check.Finding{
		Object: spec.Ref, Location: spec.Location, Labels: spec.Labels, App: spec.Name, Severity: check.Warning, Field: field,
		Message: fmt.Sprintf(
			"its pods get priority class %q from batchSchedulerOptions now; operator %s gives it to the group of Volcano only, and new "+
				"pods are without",
			spark.PriorityClass(spec.Contested), u.To),
		Evidence: []check.Evidence{{Object: spec.Ref, Field: field, Value: spark.PriorityClass(spec.Contested)}},
		Steps: []check.Step{{
			When: check.After,
			Do:   "set driver.priorityClassName and executor.priorityClassName, which the CRDs have now, where the objects come from",
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
