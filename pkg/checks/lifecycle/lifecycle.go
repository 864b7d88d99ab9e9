// Package lifecycle holds the checks of area 6: applications and schedules that get no further, fail again and again, or stay behind.
package lifecycle

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		stuckNew(),
		stuckSubmitted(),
		stuckPendingRerun(),
		runningButDriverEnded(),
		stuckBetween(),
		duplicateSubmission(),
		scheduleStopped(),
		finishedPileUp(),
		retryMisconfigured(),
		executorChurn(),
		leftovers(),
		nameInvalid(),
		driverUnreachable(),
		kueueDoesNotManage(),
		executorsOverQuota(),
	)
}
