package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func uiIngressRefused() check.Check {
	return deniedFeature(check.Check{
		ID: "SD7016", Slug: "ui-ingress-refused", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "applications get an ingress, and the target's Role does not allow what that takes",
	}, operator.UIIngresses, "allow the controller's service account to list and watch ingresses, with a Role of your own")
}
