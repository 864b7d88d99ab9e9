package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNotesSayWhatChartsSay: what notes say of ports, registries and policies is what the data of the charts says.
func TestNotesSayWhatChartsSay(t *testing.T) {
	old, _ := ChartOf(version(1, 6, 2))
	first, _ := ChartOf(version(2, 0, 0))
	require.Equal(t, []int32{10254, 8080, 9443}, []int32{old.MetricsPort, first.MetricsPort, first.WebhookPort})
	require.Equal(t, "Fail", first.FailurePolicy)
	for _, v := range Releases() {
		c, _ := ChartOf(v)
		require.Equal(t, !v.Before(2, 1, 0), c.RootReadOnly, v)
		require.Equal(t, !v.Before(2, 1, 0), c.FSGroup == 185, v)
		require.Equal(t, !v.Before(2, 2, 0), strings.HasPrefix(c.Repository, "ghcr.io/kubeflow/spark-operator/controller"), v)
		require.Equal(t, !v.Before(2, 3, 0), c.UpgradesCRDs, v)
	}
}

func TestNotesOfAnUpgrade(t *testing.T) {
	for _, c := range []struct {
		from, to Version
		want     []string
	}{
		{version(1, 6, 2), version(2, 0, 2), []string{"2.0.0", "2.0.0", "2.0.0", "2.0.0"}},
		{version(2, 0, 0), version(2, 0, 2), nil},
		{version(2, 0, 2), version(2, 1, 1), []string{"2.1.0"}},
		{version(2, 1, 1), version(2, 2, 0), []string{"2.2.0"}},
		{version(2, 2, 0), version(2, 4, 0), []string{"2.2.1", "2.3.0", "2.4.0", "2.4.0"}},
		{version(2, 2, 1), version(2, 5, 0), []string{"2.4.0", "2.4.0"}},
		{version(2, 5, 0), version(2, 5, 1), nil},
		{version(2, 5, 1), version(2, 5, 2), []string{"2.5.2"}},
	} {
		var got []string
		for _, n := range NotesOf(c.from, c.to) {
			got = append(got, n.Since.String())
		}
		require.Equal(t, c.want, got, "%s to %s", c.from, c.to)
	}
}
