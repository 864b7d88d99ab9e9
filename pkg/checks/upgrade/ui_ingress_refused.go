package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func uiIngressRefused() check.Check {
	return check.Check{
		ID: "SD7016", Slug: "ui-ingress-refused", Since: "0.1.0",
		Title:    "applications get an ingress, for which the target's Role lacks verbs",
		Unscoped: true,
		Next:     "grant the controller's service account list and watch on ingresses by a Role of your own",
		Needs:    accessAfterNeeds(),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			return featureDenied(s, p.Upgrade, operator.UIIngresses, "let the controller's service account list and watch ingresses, by a role of your own")
		},
	}
}
