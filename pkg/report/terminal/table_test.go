package terminal_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestTableQuotesLogs shows what the operator said below the finding that it is evidence of, and no other evidence.
func TestTableQuotesLogs(t *testing.T) {
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "spark-operator", Name: "webhook-1"}
	line := func(value string) report.Evidence {
		return report.Evidence{Object: pod, Field: facts.LogField + "webhook", Value: value}
	}
	r := &report.Report{Items: []report.Item{{
		Check: "SD1005", Slug: "webhook-replicas-diverge", Severity: "error", Certainty: "proven", Message: "1 of 2 replicas",
		Object: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: "webhook"},
		Evidence: []report.Evidence{
			{Object: pod, Field: "version", Value: "2.5.2"},
			line("3 times from 2026-11-21T12:29:58Z to 2026-11-21T12:30:00Z: http: TLS handshake error " +
				"from 10.0.0.1:4711: remote error: tls: bad certificate"),
			line("2026-11-21T12:30:00Z: \x1b[31mFailed"), line("a third"),
		},
	}}}
	var out bytes.Buffer
	require.NoError(t, terminal.Table(&out, r, terminal.Style{}))
	require.Contains(t, out.String(), `    1 of 2 replicas
    log: spark-operator pod/webhook-1, 3 times from 2026-11-21T12:29:58Z to
         2026-11-21T12:30:00Z: http: TLS handshake error from 10.0.0.1:4711:
         remote error: tls: bad certificate
    log: spark-operator pod/webhook-1, 2026-11-21T12:30:00Z: \x1b[31mFailed
`)
	require.NotContains(t, out.String(), "a third")
	require.NotContains(t, out.String(), "2.5.2")
}

// TestTableFits: at 80 columns only what must stay whole, because somebody copies it, may be longer.
func TestTableFits(t *testing.T) {
	for name, r := range reporttest.All() {
		for _, width := range []int{40, 80, 120} {
			var b bytes.Buffer
			require.NoError(t, terminal.Table(&b, r, terminal.Style{Width: width}))
			for line := range strings.Lines(b.String()) {
				line = strings.TrimRight(line, "\n")
				require.Equal(t, strings.TrimRight(line, " "), line, "%s: blanks at the end", name)
				words := strings.Fields(line)
				whole := len(words) < 2 || strings.HasPrefix(words[0], "kubectl") ||
					slices.Contains([]string{"helm", "test", report.LabelCommand}, words[0]) ||
					strings.Contains(line, "/") || strings.HasPrefix(line, "  more: ") || strings.HasPrefix(line, "  fix:  ") ||
					strings.Contains(words[0]+words[1], "SD")
				require.True(t, whole || twwidth.Width(line) <= width, "%s at %d: %q", name, width, line)
			}
		}
	}
}
