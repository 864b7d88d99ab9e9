package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// deleted marks a pod as deleted, to be gone at a time unless finalizers hold it.
func deleted(pod, at, finalizers string) string {
	return strings.Replace(pod, "metadata: {", `metadata: {deletionTimestamp: "`+at+`", finalizers: [`+finalizers+`], `, 1)
}

// tried are the events of an operator that suspends an application.
func tried(times int, first string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Event
metadata: {name: suspending, namespace: jobs}
involvedObject: {kind: SparkApplication, name: etl, namespace: jobs}
type: Warning
reason: SparkApplicationSuspending
message: SparkApplication etl is suspending
count: %d
firstTimestamp: %q
lastTimestamp: "2026-11-23T11:59:30Z"`, times, first)
}

func TestDriverOfTheLastRunIsInTheWay(t *testing.T) {
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]",
		`phase: Succeeded, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: 0, reason: Completed}}}]`)
	state := func(word string, suspend bool) string {
		return application(fmt.Sprintf("suspend: %t", suspend), "applicationState: {state: "+word+"}")
	}
	const past, future = "2026-11-23T11:58:00Z", "2026-11-23T12:00:20Z"
	for name, c := range map[string]struct {
		docs []string
		says string // of the cause; empty: no such cause
	}{
		"held, before the next run": {[]string{state("PENDING_RERUN", false), deleted(driver, past, "example.com/a")},
			"starts the next run when pod etl-driver is gone"},
		"held, before it is resumed": {[]string{state("SUSPENDED", false), deleted(driver, past, "example.com/a")},
			"resumes the application when"},
		"held, and suspended":           {[]string{state("SUSPENDED", true), deleted(driver, past, "example.com/a")}, ""},
		"within its grace period":       {[]string{state("PENDING_RERUN", false), deleted(driver, future, "example.com/a")}, ""},
		"terminating without finalizer": {[]string{state("PENDING_RERUN", false), deleted(driver, past, "")}, ""},
		"gone":                          {[]string{state("PENDING_RERUN", false)}, ""},
		"of a run that is over":         {[]string{state("COMPLETED", false), deleted(driver, past, "example.com/a")}, ""},
	} {
		var found []saidCause
		for _, one := range standing(given(t, c.docs...)) {
			if strings.Contains(one.Message, "held by finalizer") {
				found = append(found, one)
			}
		}
		if c.says == "" {
			require.Empty(t, found, name)
			continue
		}
		require.Len(t, found, 1, name)
		require.Contains(t, found[0].Message, c.says, name)
	}
}

func TestDriverThatTheOperatorCannotDelete(t *testing.T) {
	app := application("suspend: true", "applicationState: {state: SUSPENDING}")
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running)
	found := standing(given(t, app, driver, tried(7, "2026-11-23T11:30:00Z")))
	require.Len(t, found, 1)
	require.Contains(t, found[0].Message, "tried 7 times to suspend the application, and pod etl-driver is not deleted")

	for name, docs := range map[string][]string{
		"at its first try":         {app, driver, tried(1, "2026-11-23T11:30:00Z")},
		"tries of an earlier run":  {app, driver, tried(7, "2026-11-23T10:30:00Z")},
		"its driver terminates":    {app, deleted(driver, "2026-11-23T12:00:20Z", ""), tried(7, "2026-11-23T11:30:00Z")},
		"its driver is gone":       {app, tried(7, "2026-11-23T11:30:00Z")},
		"the events are not there": {app, driver},
	} {
		var classes []cause.Class
		for _, c := range said(given(t, docs...)) {
			classes = append(classes, c.Class)
			require.NotContains(t, c.Message, "has tried", name)
		}
		require.Contains(t, classes, cause.Suspended, name)
	}
}

// TestNotResumed: spec.suspend is what counts, not the state.
func TestNotResumed(t *testing.T) {
	for _, c := range said(given(t, application("suspend: false", "applicationState: {state: SUSPENDED}"))) {
		require.NotEqual(t, cause.Suspended, c.Class, c.Message)
	}
}

func TestClaimWithoutAVolume(t *testing.T) {
	const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shared, namespace: jobs}
spec: {storageClassName: disks, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
status: {phase: %s}`
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	driver := func(message string) string {
		return pod("etl-driver", "driver", strings.Replace(mounting, "nodeName: node-1, ", "", 1), unschedulable(message))
	}
	const none = "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) had untolerated taint(s)."
	found := standing(given(t, app, driver(none), fmt.Sprintf(claim, "Pending")))
	require.Equal(t, cause.Storage, found[0].Class)
	require.Contains(t, found[0].Message, `for PersistentVolumeClaim shared, which asks for 1Gi of storage class "disks"`)
	// A node that lacks room, too, may have the volume.
	found = standing(given(t, app, driver(strings.Replace(none, "untolerated taint(s)", "Insufficient cpu", 1)),
		fmt.Sprintf(claim, "Pending")))
	require.Equal(t, cause.Scheduling, found[0].Class)
	// Another claim is not blamed.
	found = standing(given(t, app, driver(none), fmt.Sprintf(claim, "Bound")))
	require.NotContains(t, found[0].Message, "shared")
}

// TestSidecarThatKeepsCrashing is before the driver: the kubelet waits for it, whichever of its states is seen.
func TestSidecarThatKeepsCrashing(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	driver := func(restarts int, state string) string {
		return pod("etl-driver", "driver", `nodeName: node-1, initContainers: [{name: proxy, restartPolicy: Always}], containers: [{name: spark-kubernetes-driver}]`,
			fmt.Sprintf(`phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: PodInitializing}}}],
  initContainerStatuses: [{name: proxy, started: false, restartCount: %d, state: {%s}, lastState: {terminated: {exitCode: 3, reason: Error}}}]`,
				restarts, state))
	}
	for _, state := range []string{"waiting: {reason: CrashLoopBackOff, message: back-off 10s}", `running: {startedAt: "2026-11-23T11:59:59Z"}`} {
		found := standing(given(t, app, driver(4, state)))
		require.Len(t, found, 1, state)
		require.Equal(t, cause.Configuration, found[0].Class)
		require.Contains(t, found[0].Message, "its container proxy keeps crashing (4 restarts, last with exit code 3)")
	}
	require.Empty(t, standing(given(t, app, driver(0, `running: {startedAt: "2026-11-23T11:59:59Z"}`))), "it has not crashed yet")
}
