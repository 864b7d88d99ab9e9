package operator

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefectsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Defects() {
		require.False(t, seen[d.ID], "%s twice", d.ID)
		seen[d.ID] = true
		require.NotEmpty(t, d.Does, d.ID)
		require.Regexp(t, `#\d+`, d.Source, "%s names an issue or a pull request", d.ID)
		require.True(t, d.Until.IsZero() || d.Since.Compare(d.Until) < 0, d.ID)
		require.NotEqual(t, d.Check != "", d.Installation != nil || d.Application != nil || d.Connect != nil, "%s: another check finds it, or this says what it needs", d.ID)
		require.True(t, d.Application == nil || d.Harm == Spoils || d.Spared != nil, "%s: what does not run can be told by its status", d.ID)
	}
}

func TestReleases(t *testing.T) {
	ids := map[string][]string{}
	releases := Releases()
	for _, r := range releases {
		for _, d := range r.Defects {
			ids[r.Version.String()] = append(ids[r.Version.String()], d.ID)
		}
	}
	require.Equal(t, Newest(), releases[len(releases)-1].Version)
	require.Equal(t, []string{"dotted-configmap-refused", "executors-have-two-owners", "selected-namespaces-unmutated", "webhook-election-timing-ignored"}, ids["2.5.2"])
	require.NotContains(t, ids["2.0.1"], "executor-lifecycle-refused")
	for _, version := range []string{"2.0.2", "2.1.0"} {
		require.Contains(t, ids[version], "executor-lifecycle-refused")
	}
	require.NotContains(t, ids["2.1.1"], "executor-lifecycle-refused")
	require.Contains(t, ids["2.4.0"], "gang-of-unknown-size")
	require.NotContains(t, ids["2.5.0"], "gang-of-unknown-size")

	fixedIn := map[string]string{}
	for _, d := range DefectsOf(Version{1, 4, 6}) {
		fixedIn[d.ID] = d.FixedIn()
	}
	require.Equal(t, map[string]string{"lock-identity-empty": "chart 1.3.1", "executors-tracked-without-limit": "2.1.0"}, fixedIn)
	require.Empty(t, DefectsOf(Version{}))
}
