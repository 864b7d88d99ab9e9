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
func fixtures(t *testing.T) []*checktest.Fixture {
	t.Helper()
	if len(knownFixtures) == 0 {
		knownFixtures = checktest.Fixtures(t, "*/testdata/SD*/*.yaml")
		slices.SortFunc(knownFixtures, func(a, b *checktest.Fixture) int { return strings.Compare(a.Name()+".yaml", b.Name()+".yaml") })
	}
	return knownFixtures
}

// knownFixtures are read once for all tests of the package, which run one after the other.
var knownFixtures []*checktest.Fixture

func checkOf(t *testing.T, id string) check.Check {
	t.Helper()
	if len(knownChecks) == 0 {
		knownChecks = checks.Catalogue()
	}
	c, err := check.Lookup(knownChecks, id)
	require.NoError(t, err)
	return c
}

// knownChecks is the catalogue, made once.
var knownChecks []check.Check
