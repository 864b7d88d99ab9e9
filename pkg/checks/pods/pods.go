// Package pods holds the checks of area 4: pods that were not mutated, and pods that outlived what they belong to.
package pods

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		orphanPod(),
		unmutatedPod(),
		orphanExecutor(),
	)
}
