package terminal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
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
