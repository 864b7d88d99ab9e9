package upgrade

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func claimRefused() check.Check {
	return check.Check{
		ID: "SD7015", Slug: "claim-refused", Since: "0.1.0",
		Title:    "a driver's volume is a claim that spark-submit makes, which the target's Role does not allow",
		Unscoped: true,
		Next:     "grant the controller's service account create on persistentvolumeclaims by a Role of your own",
		Needs:    accessAfterNeeds(),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			return featureDenied(s, p.Upgrade, operator.DriverClaims, "let the controller's service account create persistentvolumeclaims, by a role of your own")
		},
	}
}
