package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
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

// TestGangThatItsQueueCannotFit: the first colon ends what the pod says, and where the event has all of it, the maximum of the queue is
// known. The queue is the one that the scheduler names.
func TestGangThatItsQueueCannotFit(t *testing.T) {
	const app = "applicationState: {state: FAILED}, driverInfo: {podName: etl-driver}"
	const fit = "queue root.adhoc cannot fit application spark-1"
	of := func(says, event string) mechanism.TurnedAway {
		driver := strings.Replace(pod("etl-driver", "driver", "schedulerName: yunikorn", "phase: Failed, reason: ApplicationRejected, "+
			"message: ' "+says+"'"), "labels:", `annotations: {yunikorn.apache.org/task-groups: '[{"name":"driver","minMember":1,`+
			`"minResource":{"cpu":"1","memory":"4Gi"}},{"name":"executor","minMember":9,"minResource":{"cpu":"4","memory":"8Gi"}}]'}, labels:`, 1)
		documents := []string{application("batchSchedulerOptions: {queue: root.other}", app), driver}
		if event != "" {
			documents = append(documents, "{apiVersion: v1, kind: Event, metadata: {namespace: jobs, name: e1}, type: Warning, "+
				"reason: ApplicationFailed, involvedObject: {kind: Pod, namespace: jobs, name: etl-driver}, lastTimestamp: "+
				"'2026-11-23T11:59:00Z', message: '"+event+"', source: {component: yunikorn}}")
		}
		for _, c := range mechanism.Causes(given(t, documents...)) {
			if d, is := c.Detail.(mechanism.TurnedAway); is {
				return d
			}
		}
		t.Fatal("not turned away")
		return mechanism.TurnedAway{}
	}
	d := of(fit, "")
	require.Equal(t, mechanism.QueueBelowAGang, d.Why)
	require.Equal(t, "root.adhoc", d.Queue)
	require.EqualValues(t, 10, d.Gang.Members())
	_, _, known := d.Fitting()
	require.False(t, known, "nothing tells the maximum")

	d = of(fit, fit+": task group request map[memory:81604378624 pods:10 vcore:37000] larger than max queue allocation "+
		"map[memory:42949672960 vcore:100000]")
	part, n, known := d.Fitting()
	require.True(t, known)
	require.Equal(t, "executor", part.Name)
	require.EqualValues(t, 4, n, "(40 - 4) / 8 GiB")
	d = of(fit, fit+": task group request map[memory:81604378624 vcore:37000] larger than max queue allocation map[memory:1024 vcore:100000]")
	_, _, known = d.Fitting()
	require.False(t, known, "not one fits")

	for says, want := range map[string]mechanism.QueueRefusal{
		"failed to place application spark-1":                                 mechanism.NotPlaced,
		"failed to create rule based queue root.a.b for application spark-1":  mechanism.NotPlaced,
		"failed to find queue root.a for application spark-1":                 mechanism.QueueNotLeaf,
		"queue root.a cannot run application spark-1 with task group request": mechanism.QueueNotFIFO,
		"partition default is stopped cannot add a new application spark-1":   mechanism.OtherRefusal,
	} {
		require.Equal(t, want, of(says, "").Why, says)
	}
}
