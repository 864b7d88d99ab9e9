// Package checks is the list of all checks. Each is a file of the package of its area, with its page and its fixtures beside it.
package checks

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/changes"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/connect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/crds"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/failures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/installation"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/leftovers"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/lifecycle"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/ownership"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/permissions"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/pods"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/retries"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/size"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/webhook"
)

// All returns the checks that a scan asks, in order of id. Retired ids stay in the comment below and are never used again.
func All() []check.Check {
	return byID(slices.Concat(
		webhook.Checks(),
		ownership.Checks(),
		size.Checks(),
		pods.Checks(),
		installation.Checks(),
		permissions.Checks(),
		crds.Checks(),
		lifecycle.Checks(),
		retries.Checks(),
		leftovers.Checks(),
		failures.Checks(),
		connect.Checks(),
	))
}

// OfUpgrades returns the checks of area 7, which a gate asks, in order of id.
func OfUpgrades() []check.Check { return slices.Concat(upgrade.Checks(), changes.Checks()) }

// OfGate returns the checks that a gate asks, in order of id: those of suppressions, those of the other areas that say what
// an upgrade makes worse, and those of area 7.
func OfGate() []check.Check {
	worse := slices.DeleteFunc(All(), func(c check.Check) bool { return c.Worse == "" })
	return slices.Concat(check.SuppressionChecks(), worse, OfUpgrades())
}

// Catalogue returns all checks in order of id: those about suppressions and those that look at a cluster.
func Catalogue() []check.Check { return slices.Concat(check.SuppressionChecks(), Suppressible()) }

// Suppressible returns the checks whose findings somebody may accept, in order of id: those that look at something.
func Suppressible() []check.Check {
	return byID(slices.Concat(All(), OfUpgrades()))
}

func byID(list []check.Check) []check.Check {
	slices.SortFunc(list, func(a, b check.Check) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Retired ids: none.
