// Package ownership holds the checks of area 2: ownerReferences and finalizers, and what the garbage collector makes of them.
package ownership

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		crossNamespaceOwner(),
		ownerMissing(),
		deletedAcrossNamespaces(),
		workflowOwnsAcrossNamespaces(),
		stuckFinalizer(),
		driverWithoutOwner(),
	)
}
