package releases

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestAllIsWhole: each release is in the list once, in order, in a file of its own, and a file of a release is in the list.
func TestAllIsWhole(t *testing.T) {
	var last release.Version
	for _, r := range All() {
		require.Positive(t, r.Version.Compare(last), "%s after %s", r.Version, last)
		last = r.Version
		if r.Version.Major > 1 {
			require.FileExists(t, fileOf(r.Version), "%s", r.Version)
		}
	}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, file := range files {
		if m := regexp.MustCompile(`^v([2-9]_\d+_\d+)\.go$`).FindStringSubmatch(file.Name()); m != nil {
			v, ok := release.ParseVersion(strings.ReplaceAll(m[1], "_", "."))
			require.True(t, ok && IsKnown(v), "%s is not in the list of All", file.Name())
		}
	}
}

func fileOf(v release.Version) string { return "v" + strings.ReplaceAll(v.String(), ".", "_") + ".go" }

// TestWhatIsTakenAwayWasThere: what a release fixes, no longer grants, needs or mutates, an earlier one has.
func TestWhatIsTakenAwayWasThere(t *testing.T) {
	var before release.Facts
	for _, r := range All() {
		known := map[string]bool{}
		for _, d := range before.Defects {
			known[d.ID] = true
		}
		for _, f := range before.Flaws {
			known[f.ID] = true
		}
		for _, n := range Table().Notes {
			known[n.ID] = known[n.ID] || n.Since.Compare(r.Version) < 0
		}
		for _, id := range r.Fixes {
			require.True(t, known[id], "%s fixes %q, which no release before it has", r.Version, id)
		}
		for _, field := range r.MutatesNoMore {
			require.True(t, before.Mutates(field, true), "%s: %s", r.Version, field)
		}
		require.Len(t, r.NeedsNoMore, len(before.Needs.Controller)+len(r.Needs.Controller)+len(before.Needs.Webhook)+len(r.Needs.Webhook)-
			len(Of(r.Version).Needs.Controller)-len(Of(r.Version).Needs.Webhook)-rewritten(&r, &before), "%s", r.Version)
		for _, g := range r.Grants {
			same := slices.ContainsFunc(before.Grants, func(o release.Grant) bool { o.Verbs = g.Verbs; return o == g })
			require.True(t, g.Verbs != "" || same, "%s takes away %s, which nothing granted", r.Version, g.Resource)
			require.False(t, !r.Rewrite && slices.Contains(before.Grants, g), "%s grants %s as before", r.Version, g.Resource)
		}
		before = *Of(r.Version)
	}
}

// rewritten is how many needs a rewrite leaves behind.
func rewritten(r *release.Release, before *release.Facts) int {
	if !r.Rewrite {
		return 0
	}
	return len(before.Needs.Controller) + len(before.Needs.Webhook)
}

func TestDefectsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Table().Defects {
		require.False(t, seen[d.ID], "%s twice", d.ID)
		seen[d.ID] = true
		require.NotEmpty(t, d.Does, d.ID)
		require.Regexp(t, `#\d+`, d.Source, "%s names an issue or a pull request", d.ID)
		require.True(t, d.Until.IsZero() || d.Since.Compare(d.Until) < 0, d.ID)
		uses := d.Installation != nil || d.Application != nil || d.Connect != nil
		require.NotEqual(t, d.Check != "", uses, "%s: another check finds it, or this says what it needs", d.ID)
		told := d.Application == nil || d.Harm == release.Spoils || d.Spared != nil
		require.True(t, told, "%s: what does not run can be told by its status", d.ID)
	}
}

func TestNotes(t *testing.T) {
	last := release.Version{}
	for _, n := range Table().Notes {
		require.GreaterOrEqual(t, n.Since.Compare(last), 0, "in order: %s", n.Do)
		last = n.Since
		require.True(t, IsKnown(n.Since), n.Do)
		require.True(t, n.Until.IsZero() || IsKnown(n.Until) && n.Until.Compare(n.Since) > 0, n.Do)
		require.Regexp(t, `@v2|#\d{4}`, n.Source, n.Do)
		for _, text := range []string{n.Do, n.Why} {
			require.Regexp(t, `^[a-z].*[^.]$`, text)
		}
		filled := n.Fill("to", "", "chart", "", "from", "", "namespace", "", "deployments", "")
		require.NotContains(t, filled, "{", "a blank that nobody fills: %s", n.Command)
	}
}

// TestMutationsSayWhereTheyAreFrom holds that no fact is without a source, and no field twice.
func TestMutationsSayWhereTheyAreFrom(t *testing.T) {
	seen := map[snapshot.Field]bool{}
	for _, r := range All() {
		for _, m := range r.Mutates {
			require.NotEmpty(t, m.Source, m.Field)
			require.False(t, seen[m.Field], m.Field)
			seen[m.Field] = true
		}
	}
	for _, r := range All() {
		for _, f := range r.Flaws {
			require.True(t, seen[f.Field])
			require.NotEmpty(t, f.Source)
		}
	}
}
