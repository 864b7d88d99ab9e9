package mechanism_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestExecutorsThatASeriesTellsOf: a series repeats for other executors and keeps the text of the first, which ended when it began.
func TestExecutorsThatASeriesTellsOf(t *testing.T) {
	app := application("mode: cluster", `applicationState: {state: RUNNING}`)
	series := `
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: etl.1, namespace: jobs}
type: Warning
reason: SparkExecutorFailed
action: "Executor %s failed with ExitCode: %d, Reason: %s, Pod Message: %s"
note: "etl%!(EXTRA string=etl-0123456789abcdef-exec-1, int32=137, string=OOMKilled, string=)"
regarding: {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, namespace: jobs, name: etl, uid: app}
eventTime: "2026-11-23T11:10:00.000000Z"
series: {count: 4, lastObservedTime: "2026-11-23T11:40:00.000000Z"}
reportingController: spark-application-controller`
	ends := mechanism.Look(given(t, app, series)).Ends
	require.Len(t, ends, 1)
	require.Equal(t, "etl-0123456789abcdef-exec-1", ends[0].Pod.Name)
	require.Equal(t, mechanism.OOMKilled, ends[0].Why.Kind)
	require.Equal(t, time.Date(2026, 11, 23, 11, 10, 0, 0, time.UTC), ends[0].At)
	require.NotContains(t, ends[0].Proof.Value, "EXTRA")
}
