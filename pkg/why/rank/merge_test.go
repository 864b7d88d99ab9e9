package rank

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestEvictionIsNoKillForMemory: what the driver was told of an executor, an exit code of 137, is explained by its pod.
func TestEvictionIsNoKillForMemory(t *testing.T) {
	pods := alone(cause.Cause{Class: cause.ClusterKilled, Role: cause.ExecutorRole, Trust: cause.ByPod, Executors: []string{"2", "6"},
		Evidence: []cause.Proof{{Field: "status.reason", Value: "Evicted"}}, Detail: mechanism.Eviction{Lost: mechanism.Lost{N: 2, Of: 4}}})
	log := func(executor string) Answer {
		return alone(cause.Cause{Class: cause.ClusterKilled, Role: cause.ExecutorRole, Trust: cause.ByDriverLog, Certainty: check.Proven,
			Executors: []string{executor}, Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.ExecutorsLost{}},
				Lost: logs.Lost{Executors: []string{executor}, Reason: logs.Killed, Code: 137}}})
	}
	for _, order := range [][]Answer{{pods, log("6")}, {log("6"), pods}} {
		got := merged(order)
		require.Len(t, got, 1)
		require.IsType(t, mechanism.Eviction{}, got[0].Detail)
		require.Len(t, got[0].Advice, 1, "nothing about memory")
		require.Equal(t, Attempts, got[0].Clauses[1].Form)
		require.Equal(t, "status.reason", got[0].Evidence[0].Field)
	}
	got := merged([]Answer{pods, log("3")})
	require.Len(t, got[0].Advice, 2, "another executor was killed for memory, too")
}
