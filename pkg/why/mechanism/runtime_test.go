package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWordsOfTheRuntime: what the runtime says of a container or a sandbox that it cannot make is a fault of the image, of a setting, of
// the network or of the node.
func TestWordsOfTheRuntime(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: FAILED}")
	const wrap = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: " +
		"unable to start container process: "
	started := func(message string) string {
		return pod("etl-driver", "driver", "nodeName: node-1, containers: [{name: spark-kubernetes-driver, image: spark}]",
			fmt.Sprintf("phase: Failed, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: 128, "+
				"reason: StartError, message: '%s'}}}]", wrap+message))
	}
	for _, row := range []struct {
		want    cause.Class
		message string
	}{
		{cause.Image, `exec: "driver": executable file not found in $PATH: unknown`},
		{cause.Image, `exec: "/opt/entrypoint.sh": permission denied: unknown`},
		{cause.Image, `exec /opt/entrypoint.sh: exec format error`},
		{cause.ClusterKilled, `container init was OOM-killed (memory limit too low?): unknown`},
		{cause.Storage, `error during container init: write /proc/self/attr/keycreate: no space left on device`},
		{cause.Unknown, `context canceled: unknown`},
		{cause.Configuration, `error mounting "/var/lib/x" to rootfs at "/opt/spark/conf/spark-defaults.conf": not a directory: unknown`},
	} {
		found := standing(given(t, app, started(row.message)))
		if row.want == cause.Unknown {
			require.Empty(t, found, row.message)
			continue
		}
		require.Len(t, found, 1, row.message)
		require.Equal(t, row.want, found[0].Class, row.message)
	}
}

// TestSandboxes: the network is blamed where the words are about it.
func TestSandboxes(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	driver := pod("etl-driver", "driver", "nodeName: node-1, containers: [{name: spark-kubernetes-driver}]",
		"phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ContainerCreating}}}]")
	const event = `
apiVersion: v1
kind: Event
metadata: {namespace: jobs, name: e1}
involvedObject: {kind: Pod, namespace: jobs, name: etl-driver}
type: Warning
reason: FailedCreatePodSandBox
count: 9
lastTimestamp: "2026-11-23T11:59:00Z"
message: 'Failed to create pod sandbox: rpc error: code = Unknown desc = %s'`
	for _, row := range []struct {
		want    cause.Class
		message string
	}{
		{cause.Network, `failed to setup network for sandbox "ab": plugin type="aws-cni" failed (add): failed to assign an IP address`},
		{cause.Configuration, `failed to get sandbox runtime: no runtime for "gvisor" is configured`},
		{cause.Image, `failed to get sandbox image "registry.k8s.io/pause:3.9": failed to pull image: dial tcp: i/o timeout`},
		{cause.Scheduling, `failed to start sandbox "ab": failed to create containerd task: cannot allocate memory`},
		{cause.Scheduling, `failed to reserve sandbox name "etl-driver_jobs_0": name "etl-driver_jobs_0" is reserved for "ab"`},
		{cause.Network, `failed to create pod network sandbox k8s_etl-driver: error adding pod to CNI network "k8s-pod-network": EOF`},
	} {
		found := standing(given(t, app, driver, fmt.Sprintf(event, row.message)))
		require.NotEmpty(t, found, row.message)
		require.Equal(t, row.want, found[0].Class, found[0].Message)
	}
}

// TestNoVolumeOnAnyNode is a fault of storage also where no claim was seen; where other nodes lack room, it is theirs.
func TestNoVolumeOnAnyNode(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	of := func(message string) cause.Class {
		driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", unschedulable(message))
		return standing(given(t, app, driver))[0].Class
	}
	const every = "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind."
	require.Equal(t, cause.Storage, of(every))
	require.Equal(t, cause.Scheduling, of(strings.Replace(every, ": 3 node(s)", ": 1 Insufficient memory, 2 node(s)", 1)))
	require.Equal(t, cause.Scheduling, of("0/3 nodes are available: 3 node(s) had untolerated taint {pool: gpu}."))
}

// TestContainerThatTheKubeletLost was ended by the cluster; a process that exits with 137 by itself was not seen to be.
func TestContainerThatTheKubeletLost(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: FAILED}")
	of := func(reason string) []saidCause {
		return standing(given(t, app, pod("etl-driver", "driver", "nodeName: node-1, containers: [{name: spark-kubernetes-driver}]",
			"phase: Failed, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: 137, reason: "+reason+"}}}]")))
	}
	require.Equal(t, cause.ClusterKilled, of("ContainerStatusUnknown")[0].Class)
	require.Empty(t, of("Error"))
}

// TestDriverThatIsBeingDeleted: it was stopped, though it still runs for its grace period; a driver that no one deleted was not.
func TestDriverThatIsBeingDeleted(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: RUNNING}")
	driver := pod("etl-driver", "driver", "nodeName: node-1, containers: [{name: spark-kubernetes-driver}]", running)
	require.Empty(t, standing(given(t, app, driver, node("node-1", ready))))
	deleted := strings.Replace(driver, "uid: etl-driver,", `uid: etl-driver, deletionTimestamp: "2026-11-23T11:59:50Z",`, 1)
	found := byClass(t, given(t, app, deleted, node("node-1", ready)), cause.StoppedByUser)
	require.Contains(t, found.Message, "the driver pod was deleted while it ran")
}

// TestChangedSpecThatIsNotRunAgain: the event of an operator 1.x tells that it took a run down; one that failed after it did so by
// itself.
func TestChangedSpecThatIsNotRunAgain(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: PENDING_RERUN}")
	event := func(name, reason, at string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: Event
metadata: {namespace: jobs, name: %s}
involvedObject: {kind: SparkApplication, namespace: jobs, name: etl}
reason: %s
message: of the operator
count: 2
lastTimestamp: "2026-11-23T%sZ"`, name, reason, at)
	}
	changed := event("e1", "SparkApplicationSpecUpdateProcessed", "11:30:00")
	found := byClass(t, given(t, app, changed), cause.StoppedByUser)
	require.Contains(t, found.Message, "the spec was changed while it ran (2 times, the last at 11:30:00)")
	for _, c := range said(given(t, app, changed, event("e2", "SparkDriverFailed", "11:40:00"))) {
		require.NotEqual(t, cause.StoppedByUser, c.Class)
	}
}

// byClass is the first cause of a class.
func byClass(t *testing.T, e *app.Evidence, class cause.Class) saidCause {
	t.Helper()
	for _, c := range said(e) {
		if c.Class == class {
			return c
		}
	}
	require.Fail(t, "no cause of class "+string(class))
	return saidCause{}
}
