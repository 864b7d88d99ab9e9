package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// fixtures are those of all areas, whose own tests hold what comes out.
func fixtures(t *testing.T) []checktest.Fixture {
	t.Helper()
	list := checktest.Fixtures(t, "*/testdata/SD*/*.yaml")
	slices.SortFunc(list, func(a, b checktest.Fixture) int { return strings.Compare(a.Name()+".yaml", b.Name()+".yaml") })
	return list
}

func checkOf(t *testing.T, id string) check.Check {
	t.Helper()
	c, err := check.Lookup(checks.Catalogue(), id)
	require.NoError(t, err)
	return c
}
