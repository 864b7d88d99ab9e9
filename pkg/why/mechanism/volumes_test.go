package mechanism_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

const mounting = `volumes: [{name: data, persistentVolumeClaim: {claimName: shared}}], nodeName: node-1, containers: [{name: spark-kubernetes-driver}]`

// failing is an event of the driver.
func failing(reason, message, at string) string {
	return "\napiVersion: v1\nkind: Event\nmetadata: {name: " + reason + ", namespace: jobs}\ninvolvedObject: {kind: Pod, name: etl-driver, " +
		"namespace: jobs}\ntype: Warning\nreason: " + reason + "\nmessage: '" + message + "'\ncount: 5\nfirstTimestamp: \"" + at +
		"\"\nlastTimestamp: \"" + at + "\""
}

func TestVolumeIsNamedByItsClaim(t *testing.T) {
	claim := `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shared, namespace: jobs}
spec: {accessModes: [ReadWriteOnce], volumeName: pv-7}
status: {phase: Bound}`
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	driver := pod("etl-driver", "driver", mounting,
		`phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ContainerCreating}}}]`)
	multi := failing("FailedAttachVolume", `Multi-Attach error for volume "pv-7" Volume is already used by pod(s) other`, "2026-11-23T11:50:00Z")
	found := said(given(t, app, driver, claim, multi))
	require.Equal(t, cause.Storage, found[0].Class)
	require.Equal(t, mechanism.ClaimUse{Name: "shared", Modes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Users: 1,
		Contended: true}, found[0].Detail.(mechanism.VolumeUnmounted).Claim)

	// A volume that no claim of the pod is bound to is not guessed.
	other := failing("FailedAttachVolume", `Multi-Attach error for volume "pv-8" Volume is already used by pod(s) other`, "2026-11-23T11:50:00Z")
	found = said(given(t, app, driver, claim, other))
	require.Zero(t, found[0].Detail.(mechanism.VolumeUnmounted).Claim)
}

// TestEventsOfAnEarlierRunAreLeftOut: the driver of each run has the same name.
func TestEventsOfAnEarlierRunAreLeftOut(t *testing.T) {
	app := application("mode: cluster", `applicationState: {state: FAILED, errorMessage: "driver container failed with ExitCode: 1, Reason: Error"}`)
	found := standing(given(t, app, failing("Preempted", "Preempted by pod x", "2026-11-23T10:00:00Z")))
	require.Empty(t, found)
	found = standing(given(t, app, failing("Preempted", "Preempted by pod x", "2026-11-23T11:30:00Z")))
	require.Len(t, found, 1)
	require.Equal(t, cause.ClusterKilled, found[0].Class)
}

// TestSubmissionThatFailedHadNoDriver: nothing is said of its pod.
func TestSubmissionThatFailedHadNoDriver(t *testing.T) {
	app := application("mode: cluster", `applicationState: {state: SUBMISSION_FAILED, errorMessage: "failed to run spark-submit: odd"}`)
	for _, c := range said(given(t, app)) {
		require.NotContains(t, c.Message, "gone")
	}
}
