package machine_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// TestForgedReportIsInert: whatever somebody writes into a report by hand, other programs read what this build means.
func TestForgedReportIsInert(t *testing.T) {
	r := reporttest.Forged(t)
	require.NotEmpty(t, families(t, r))
	require.NotEmpty(t, suites(t, r, "info"))
	require.NoError(t, sarifSchema(t).Validate(sarifOf(t, r)))
	var b bytes.Buffer
	require.NoError(t, machine.GitHub(&b, r))
	list, _ := commands(t, b.String())
	for _, c := range list {
		require.Contains(t, []string{"error", "warning", "notice"}, c.name)
	}
	gate := reporttest.HostileGate(t)
	require.NoError(t, sarifSchema(t).Validate(sarifOf(t, gate)))
	require.NotEmpty(t, families(t, gate))
}
