// Package installation holds the checks of area 5 about the operator: whether it runs, leads, and watches.
package installation

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		namespaceNotWatched(),
		twoOperators(),
		leaderElection(),
		operatorUnhealthy(),
		knownDefects(),
		batchSchedulerMissing(),
		upgradeUnfinished(),
		flagValueEaten(),
	)
}
