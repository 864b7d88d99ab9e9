package operator

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

func TestReleases(t *testing.T) {
	ids := map[string][]string{}
	for _, v := range Releases() {
		for _, d := range DefectsOf(v) {
			ids[v.String()] = append(ids[v.String()], d.ID)
		}
	}
	require.Equal(t, Newest(), Releases()[len(Releases())-1])
	require.Equal(t, []string{"dotted-configmap-refused", "executors-have-two-owners", "pod-template-file-overridden",
		"selected-namespaces-unmutated",
		"webhook-election-timing-ignored"}, ids["2.5.2"])
	require.NotContains(t, ids["2.0.1"], "executor-lifecycle-refused")
	for _, version := range []string{"2.0.2", "2.1.0"} {
		require.Contains(t, ids[version], "executor-lifecycle-refused")
	}
	require.NotContains(t, ids["2.1.1"], "executor-lifecycle-refused")
	require.Contains(t, ids["2.4.0"], "gang-of-unknown-size")
	require.NotContains(t, ids["2.5.0"], "gang-of-unknown-size")

	fixedIn := map[string]string{}
	for _, d := range DefectsOf(version(1, 4, 6)) {
		fixedIn[d.ID] = d.FixedIn()
	}
	require.Equal(t, map[string]string{"lock-identity-empty": "chart 1.3.1", "executors-tracked-without-limit": "2.1.0"}, fixedIn)
	require.Empty(t, DefectsOf(Version{}))
}

func fatalReleases() []Fatal {
	var out []Fatal
	for _, line := range releases.Lines() {
		out = append(out, line.Fatal...)
	}
	return append(out, releases.Table().Fatal...)
}

func version(major, minor, patch int) Version {
	return Version{Major: major, Minor: minor, Patch: patch}
}

// stated are the releases of which tests say in full what is known.
func stated() []Version { return slices.DeleteFunc(Releases(), newerThanStated) }

func newerThanStated(v Version) bool { return v.Compare(version(2, 5, 2)) > 0 }
