// Package changes holds the checks of area 7 about an upgrade that takes something away or changes it: the flags, permissions and pods
// of the operator before and after.
package changes

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		crdsNotApplicable(),
		labelFilterLost(),
		featuresLost(),
		targetPods(),
		hooksLeftBehind(),
		changesNotCovered(),
		valuesOfAnother(),
		podsRefused(),
		valuesRefused(),
	)
}
