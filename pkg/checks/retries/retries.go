// Package retries holds the checks of area 6 about what runs again and again:
// applications that are retried, and executors that are replaced.
package retries

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		retryMisconfigured(),
		executorChurn(),
	)
}
