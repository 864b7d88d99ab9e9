package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotes(t *testing.T) {
	last := Version{}
	for _, n := range Notes() {
		require.GreaterOrEqual(t, n.Since.Compare(last), 0, "in order: %s", n.Do)
		last = n.Since
		require.True(t, IsKnown(n.Since), n.Do)
		require.True(t, n.Until.IsZero() || IsKnown(n.Until) && n.Until.Compare(n.Since) > 0, n.Do)
		require.Regexp(t, `@v2|#\d{4}`, n.Source, n.Do)
		for _, text := range []string{n.Do, n.Why} {
			require.Regexp(t, `^[a-z].*[^.]$`, text)
		}
		require.NotContains(t, n.Fill("to", "", "from", "", "namespace", "", "deployments", ""), "{", "a blank that nobody fills: %s", n.Command)
	}
}

// TestNotesSayWhatChartsSay: what notes say of ports, registries and policies is what the data of the charts says.
func TestNotesSayWhatChartsSay(t *testing.T) {
	old, _ := ChartOf(Version{1, 6, 2})
	first, _ := ChartOf(Version{2, 0, 0})
	require.Equal(t, []int32{10254, 8080, 9443}, []int32{old.MetricsPort, first.MetricsPort, first.WebhookPort})
	require.Equal(t, "Fail", first.FailurePolicy)
	for _, v := range known() {
		c, _ := ChartOf(v)
		require.Equal(t, !v.Before(2, 1, 0), c.RootReadOnly, v)
		require.Equal(t, !v.Before(2, 2, 0), strings.HasPrefix(c.Repository, "ghcr.io/kubeflow/spark-operator/controller"), v)
		require.Equal(t, !v.Before(2, 3, 0), c.UpgradesCRDs, v)
	}
}

func TestNotesOfAnUpgrade(t *testing.T) {
	for _, c := range []struct {
		from, to Version
		want     []string
	}{
		{Version{1, 6, 2}, Version{2, 0, 2}, []string{"2.0.0", "2.0.0", "2.0.0", "2.0.0"}},
		{Version{2, 0, 0}, Version{2, 0, 2}, nil},
		{Version{2, 0, 2}, Version{2, 1, 1}, []string{"2.1.0"}},
		{Version{2, 1, 1}, Version{2, 2, 0}, []string{"2.2.0"}},
		{Version{2, 2, 0}, Version{2, 4, 0}, []string{"2.2.1", "2.3.0", "2.4.0"}},
		{Version{2, 2, 1}, Version{2, 5, 0}, []string{"2.4.0"}},
		{Version{2, 5, 0}, Version{2, 5, 1}, nil},
		{Version{2, 5, 1}, Version{2, 5, 2}, []string{"2.5.2"}},
	} {
		var got []string
		for _, n := range NotesOf(c.from, c.to) {
			got = append(got, n.Since.String())
		}
		require.Equal(t, c.want, got, "%s to %s", c.from, c.to)
	}
}
