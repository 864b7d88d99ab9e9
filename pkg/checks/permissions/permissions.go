// Package permissions holds the checks of area 5 about RBAC: whether the operator and the drivers may do what they need.
package permissions

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the package, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		controllerLacksPermission(),
		driverServiceAccount(),
	)
}
