// Package size holds the checks of area 3: objects that grow towards the limit of etcd, and how many executors are tracked.
package size

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		executorStateOversized(),
		executorTrackingUnbounded(),
		executorsBeyondTrackingLimit(),
		objectOversized(),
		driverLostBeforeRecorded(),
	)
}
