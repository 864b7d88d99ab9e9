package facts

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// LackingFields returns the fields that a release knows and the CRD does not. A CRD that keeps what it does not know, or
// describes nothing, drops nothing.
func LackingFields(c *snapshot.CRD, known []operator.Telltale) []operator.Telltale {
	stored := c.Stored()
	if stored == nil || len(stored.Fields) == 0 || c.PreservesUnknown {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(known), func(t operator.Telltale) bool { return stored.Has(t.Field) })
}
