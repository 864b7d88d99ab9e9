// Package lifecycle holds the checks of area 6: applications and schedules that get no further.
package lifecycle

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		stuckNew(),
		stuckSubmitted(),
		stuckPendingRerun(),
		runningButDriverEnded(),
		stuckBetween(),
		duplicateSubmission(),
		scheduleStopped(),
		nameInvalid(),
		driverUnreachable(),
		kueueDoesNotManage(),
		executorsOverQuota(),
		executorBounds(),
	)
}
