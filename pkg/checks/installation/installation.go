// Package installation holds the checks of area 5: whether an operator runs, watches, and may do what its release needs.
package installation

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		namespaceNotWatched(),
		crdOlderThanOperator(),
		undecodableApplication(),
		twoOperators(),
		leaderElection(),
		controllerLacksPermission(),
		driverServiceAccount(),
		operatorUnhealthy(),
		knownDefects(),
		batchSchedulerMissing(),
		sparkConnectCRDMissing(),
		upgradeUnfinished(),
	)
}
