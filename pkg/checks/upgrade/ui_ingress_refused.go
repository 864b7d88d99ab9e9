package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func uiIngressRefused() check.Check {
	return deniedFeature(check.Check{
		ID: "SD7016", Slug: "ui-ingress-refused", Since: "0.1.0",
		Title: "applications get an ingress, for which the target's Role lacks verbs",
		Next:  "grant the controller's service account list and watch on ingresses by a Role of your own",
	}, operator.UIIngresses, "let the controller's service account list and watch ingresses, by a role of your own")
}
