package checks_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// TestHops goes through all checks of area 7 with clusters that break on one hop of an upgrade, and clusters like them that do
// not. testdata/hops/HOP/breaks.yaml and fine.yaml are fixtures, but that a line "# want SD7005 SD7009" names the checks with a
// finding on that hop which is a warning or worse.
func TestHops(t *testing.T) {
	paths, err := filepath.Glob("upgrade/testdata/hops/*")
	require.NoError(t, err)
	require.Len(t, paths, len(operator.Hops()), "one directory a hop")
	for _, hop := range operator.Hops() {
		for file, breaks := range map[string]bool{"breaks": true, "fine": false} {
			t.Run(hop.String()+"/"+file, func(t *testing.T) {
				f := checktest.Read(t, filepath.Join("upgrade/testdata/hops", hop.String(), file+".yaml"))
				require.Equal(t, breaks, len(f.Want) > 0)
				require.Equal(t, strings.Fields(strings.Join(f.Want, " ")), breakingOn(t, f, hop))
			})
		}
	}
}

// breakingOn returns the checks that find something on a hop, in order of id.
func breakingOn(t *testing.T, f *checktest.Fixture, hop operator.Version) []string {
	t.Helper()
	s := f.Snapshot(t)
	p := f.Asked(t, s)
	require.Contains(t, p.Upgrade.Hops, hop)
	found := []string{}
	for _, r := range check.Run(s, checks.OfUpgrades(), p) {
		require.NotContains(t, r.Reason, "internal error", r.Check.ID)
		if slices.ContainsFunc(r.Findings, func(f check.Reported) bool { return f.Hop == hop && f.Severity >= check.Warning }) {
			found = append(found, r.Check.ID)
		}
	}
	return found
}
