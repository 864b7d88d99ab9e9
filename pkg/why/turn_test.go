package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// TestTurns: a drawing knows when the driver ran and ended, and each executor that was lost. The timeline in words holds three of a reason.
func TestTurns(t *testing.T) {
	f := variant{of: "009"}.open(t)
	counts := map[why.Turn]int{}
	for _, m := range f.Timeline {
		counts[m.Turn]++
	}
	require.Equal(t, map[why.Turn]int{why.OfApplication: 2, why.OfMain: 1, why.MainRuns: 1, why.MainEnds: 1, why.ExecutorEnds: 3}, counts)
	require.Len(t, f.Losses, 4)
	for _, m := range f.Losses {
		require.Equal(t, "executor lost: OOMKilled", m.Text)
		require.Equal(t, why.ExecutorEnds, m.Turn)
	}
}
