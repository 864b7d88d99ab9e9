package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"

// HookFacts say what the hook of a release's chart does that applies CRDs.
type HookFacts struct {
	Creates bool // its role allows it to create CRDs
	Forces  bool // it takes over the fields that others own
}

// HookOf returns those of a release; without a hook, what no release gets wrong.
func HookOf(v Version) HookFacts {
	chart := releases.Of(v).Chart
	if !chart.UpgradesCRDs {
		return HookFacts{Creates: true, Forces: true}
	}
	return HookFacts{Creates: chart.HookCreates, Forces: chart.HookForces}
}
