// Package leftovers holds the checks of area 6 about what stays behind when an application has ended.
package leftovers

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		finishedPileUp(),
		leftovers(),
	)
}
