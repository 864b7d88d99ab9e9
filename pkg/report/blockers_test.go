package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// TestBlockersNameWhatFailsAGate: in words, with the hop and what to do; what does not fail it is counted only.
func TestBlockersNameWhatFailsAGate(t *testing.T) {
	r := reporttest.Gate()
	blocks, also := r.Blockers()
	require.Len(t, blocks, 2)
	require.Equal(t, "team-b sparkapplication/etl: operator 2.5.2 refuses each new run of it, because its sparkConf sets spark.master",
		blocks[1].Text)
	require.Equal(t, report.Row{Label: report.LabelHop, Text: "2.5.2"}, blocks[1].Rows[0])
	require.Equal(t, report.LabelNext, blocks[1].Rows[1].Label)
	require.Equal(t, "also, with other causes: 12 warnings (team-a 12)", also)

	r.Decide("warning", false)
	blocks, also = r.Blockers()
	require.Len(t, blocks, 3, "a warning fails it, too")
	require.Equal(t, "warning", blocks[2].Severity)
	require.Empty(t, also)
}

// TestBlockersOfAnIncompleteGate are what could not be looked at, and a go has none, whatever it found.
func TestBlockersOfAnIncompleteGate(t *testing.T) {
	r := reporttest.Gate()
	r.Decide("none", false)
	require.Equal(t, report.VerdictIncomplete, r.Gate.Verdict)
	blocks, also := r.Blockers()
	require.Len(t, blocks, 1)
	require.Equal(t, "could not list sparkconnects: forbidden", blocks[0].Text)
	require.Empty(t, also)

	r.Decide("none", true)
	require.Equal(t, report.VerdictGo, r.Gate.Verdict)
	blocks, _ = r.Blockers()
	require.Empty(t, blocks)
	blocks, _ = reporttest.Night().Blockers()
	require.Empty(t, blocks, "of a scan")
}
