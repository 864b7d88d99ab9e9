package machine_test

import (
	"bytes"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

func suites(t *testing.T, r *report.Report, failOn string) map[string]junit.Suite {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, machine.JUnit(&b, r, failOn))
	list, err := junit.Ingest(b.Bytes())
	require.NoError(t, err)
	out := map[string]junit.Suite{}
	for _, s := range list {
		names := map[string]bool{}
		for _, c := range s.Tests {
			require.False(t, names[c.Name], "%s: two tests named %q", s.Name, c.Name)
			names[c.Name] = true
		}
		out[s.Name] = s
	}
	return out
}

// TestJUnitFailsWhereTheScanFails: what is below --fail-on is told and does not fail.
func TestJUnitFailsWhereTheScanFails(t *testing.T) {
	for name, r := range reporttest.All() {
		for failOn, severity := range map[string]string{"": "error", "error": "error", "warning": "warning", "info": "info", "none": ""} {
			failed := 0
			for _, s := range suites(t, r, failOn) {
				failed += s.Totals.Failed
			}
			want := 0
			if severity != "" {
				want = r.AtLeast(severity)
			}
			require.Equal(t, want, failed, "%s, --fail-on %s", name, failOn)
		}
	}
}

func TestJUnitSaysWhatTheReportSays(t *testing.T) {
	all := suites(t, reporttest.Night(), "error")
	require.Len(t, all, 1+4, "admission and four checks")
	owner := all["SD2001 cross-namespace-owner"]
	require.Len(t, owner.Tests, 3)
	require.Equal(t, "team-a sparkapplication/etl metadata.ownerReferences[0]", owner.Tests[0].Name)
	require.Equal(t, junit.StatusFailed, owner.Tests[0].Status)
	require.Contains(t, owner.Tests[0].Error.Error(), "lives in namespace \"argo\"")
	require.Equal(t, "41", owner.Tests[0].Properties["line"])
	require.Equal(t, junit.StatusPassed, owner.Tests[2].Status, "a warning")
	require.Contains(t, owner.Tests[2].SystemOut, "warning, likely: owner Workflow")
	require.Equal(t, junit.StatusSkipped, all["SD1003 webhook-certificate"].Tests[0].Status)

	partial := suites(t, reporttest.Partial(), "error")
	skipped := partial["SD1003 webhook-certificate"].Tests
	require.Len(t, skipped, 1)
	require.Equal(t, junit.StatusSkipped, skipped[0].Status)
	require.Equal(t, "could not list mutatingwebhookconfigurations: forbidden", skipped[0].Message)
	seen := partial["SD2001 cross-namespace-owner"].Tests
	require.Len(t, seen, 2, "it passed on what it saw, and did not see all")
	require.Equal(t, junit.StatusPassed, seen[0].Status)
	require.Equal(t, junit.StatusSkipped, seen[1].Status)
	require.Contains(t, partial["admission"].Tests[0].Message, "unknown: SD1004 could not look")
}
