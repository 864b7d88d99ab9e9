package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func claimRefused() check.Check {
	return deniedFeature(check.Check{
		ID: "SD7015", Slug: "claim-refused", Since: "0.1.0",
		Title: "a driver's volume is a claim that spark-submit makes, which the target's Role does not allow",
		Next:  "grant the controller's service account create on persistentvolumeclaims by a Role of your own",
	}, operator.DriverClaims, "let the controller's service account create persistentvolumeclaims, by a role of your own")
}
