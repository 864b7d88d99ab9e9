package size_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// TestLongListsCountWithoutDynamicAllocation: executors that crash in a loop fill the map as well (#1704).
func TestLongListsCountWithoutDynamicAllocation(t *testing.T) {
	legacy := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"spark-operator","namespace":"spark"},
		"spec":{"template":{"spec":{"containers":[{"name":"spark-operator","image":"docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0","args":["-enable-ui-service=true"]}]}}}}`
	for entries, found := range map[int]int{1000: 0, 1001: 1} {
		r := run(t, checktest.Parse(t, legacy+bigApplication(entries, ""), time.Now()), "SD3002")
		require.Len(t, r.Findings, found, "%d entries", entries)
		if found > 0 {
			require.Contains(t, r.Findings[0].Message, "0 applications with dynamic allocation, 1 with more than 1000 entries; "+
				"team-a/stream has the longest list, 1001 entries")
			require.Equal(t, "stream", r.Findings[0].Related[0].Name)
		}
	}
}
