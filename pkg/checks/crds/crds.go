// Package crds holds the checks of area 5 about the operator's CRDs, and the objects that it cannot decode by them.
package crds

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		crdOlderThanOperator(),
		undecodableApplication(),
		sparkConnectCRDMissing(),
		manifestRefused(),
	)
}
