package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func claimRefused() check.Check {
	return deniedFeature(check.Check{
		ID: "SD7015", Slug: "claim-refused", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "spark-submit creates a claim for a driver, and the target's Role does not allow it",
	}, operator.DriverClaims, "allow the controller's service account to create persistentvolumeclaims, with a Role of your own")
}
