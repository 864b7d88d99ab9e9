package mechanism_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestDriverThatItsSchedulerRejects: set to Failed before it had a node, with the whole reason in an event of that scheduler.
func TestDriverThatItsSchedulerRejects(t *testing.T) {
	const (
		status = "phase: Failed, reason: ApplicationRejected, message: ' failed to place application spark-1'"
		event  = "{apiVersion: v1, kind: Event, metadata: {namespace: jobs, name: e1}, type: Warning, reason: ApplicationFailed, " +
			"involvedObject: {kind: Pod, namespace: jobs, name: etl-driver}, lastTimestamp: '2026-11-23T11:59:00Z', " +
			"message: 'scheduling failed: failed to place application spark-1: no placement rule matched', source: {component: %s}}"
	)
	app := application("batchSchedulerOptions: {queue: root.adhoc}", "applicationState: {state: FAILED}, driverInfo: {podName: etl-driver}")
	of := func(spec, status, component string) []saidCause {
		return standing(given(t, app, pod("etl-driver", "driver", spec, status), fmt.Sprintf(event, component)))
	}
	found := of("schedulerName: yunikorn", status, "yunikorn")
	require.Len(t, found, 1)
	require.Equal(t, cause.Scheduling, found[0].Class)
	require.Contains(t, found[0].Message, "scheduler yunikorn rejected the driver before any node ran it (ApplicationRejected)")
	require.Contains(t, found[0].Message, "no placement rule matched; the application asks for queue root.adhoc")
	require.Equal(t, "event ApplicationFailed", found[0].Evidence[1].Field)

	found = of("schedulerName: yunikorn", status, "another")
	require.Len(t, found, 1)
	require.NotContains(t, found[0].Message, "no placement rule", "another component's words")

	for name, row := range map[string][2]string{
		"on a node":   {"schedulerName: yunikorn, nodeName: n1", status},
		"still waits": {"schedulerName: yunikorn", "phase: Pending"},
		"no reason":   {"schedulerName: yunikorn", "phase: Failed"},
	} {
		for _, c := range of(row[0], row[1], "yunikorn") {
			require.NotContains(t, c.Message, "before any node ran it", name)
		}
	}
}
