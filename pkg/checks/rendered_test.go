package checks_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// TestRenderedChartsAreSilent scans what `helm template` makes of charts whose operator cannot be run any more, as files
// and as if they were everything: a chart that was never installed is no broken installation.
func TestRenderedChartsAreSilent(t *testing.T) {
	versions := map[string]string{
		"chart-1.1.27": "v1beta2-1.3.8-3.1.1", "chart-1.2.15": "v1beta2-1.4.6-3.5.0", "chart-1.3.2": "v1beta2-1.5.0-3.5.0",
		"chart-1.4.6": "v1beta2-1.6.2-3.5.0", "chart-2.0.2": "2.0.2", "chart-2.1.1": "2.1.1",
	}
	for name, version := range versions {
		for _, complete := range []bool{false, true} {
			s, _, err := manifests.Read(t.Context(), manifests.Options{
				Paths: []string{filepath.Join("testdata", "rendered", name+".yaml")}, Complete: complete, Now: time.Now(),
			})
			require.NoError(t, err)
			found := operator.Find(s.Deployments())
			require.Len(t, found, 1, name)
			require.Equal(t, version, found[0].Stated)
			require.NotNil(t, found[0].Webhook, "%s: the webhook is on", name)
			for _, r := range check.Correlate(check.Run(s, checks.All(), check.DefaultParams())) {
				require.Empty(t, r.Findings, "%s, complete: %t", name, complete)
				require.NotEqual(t, check.Skipped, r.Status, "%s %s: %s", name, r.Check.ID, r.Reason)
			}
		}
	}
}
