package webhook_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/webhook"
)

// TestSeverityFollowsTimeLeft: a certificate that expires within one night is an error, before that it is a warning.
func TestSeverityFollowsTimeLeft(t *testing.T) {
	for path, c := range map[string]struct {
		check   string
		expires time.Time
	}{
		"SD1004/expires-soon.yaml":              {"SD1004", time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
		"SD1005/renewed-under-the-same-ca.yaml": {"SD1005", time.Date(2027, 11, 10, 0, 0, 0, 0, time.UTC)},
	} {
		for left, want := range map[time.Duration]check.Severity{
			9 * time.Hour: check.Warning, 8*time.Hour + time.Minute: check.Warning, 8 * time.Hour: check.Error, 33 * time.Minute: check.Error,
		} {
			f := checktest.Read(t, filepath.Join("testdata", path))
			f.AsOf = c.expires.Add(-left)
			r := checktest.Ask(t, f.Snapshot(t), checktest.Lookup(t, webhook.Checks(), c.check))
			require.Len(t, r.Findings, 1, "%s, %s before it expires", path, left)
			require.Equal(t, want, r.Findings[0].Severity, "%s, %s before it expires: %s", path, left, r.Findings[0].Message)
		}
	}
}
