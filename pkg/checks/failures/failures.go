// Package failures holds the checks of area 8: applications that failed lately, by cause, and those that run with less than they asked
// for. They judge by what a scan lists anyway; "why" reads the logs.
package failures

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		failedLately(),
		waitsInPart(),
		executorsLostToCluster(),
		resultContradictsDriver(),
	)
}
