package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
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
		Contended: true, By: mechanism.ClaimHolder{Pod: "other"}}, found[0].Detail.(mechanism.VolumeUnmounted).Claim)

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

// TestExecutorsThatShareAClaimWithTheirDriver: the claim is on the driver's node, and what the driver mounts too is no scratch space.
func TestExecutorsThatShareAClaimWithTheirDriver(t *testing.T) {
	volume := func(name string) string {
		return "volumes: [{name: " + name + ", persistentVolumeClaim: {claimName: shared}}], containers: [{name: spark-kubernetes-"
	}
	waits := func(spec string) string {
		return pod("etl-exec-1", "executor", spec+"executor}], nodeName: n2", "phase: Pending, containerStatuses: [{name: "+
			"spark-kubernetes-executor, state: {waiting: {reason: ContainerCreating}}}]")
	}
	const claim = "\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: shared, namespace: jobs}\n" +
		"spec: {accessModes: [ReadWriteOnce], volumeName: pv-7}\nstatus: {phase: Bound}"
	app := application("mode: cluster", "applicationState: {state: RUNNING}")
	event := strings.Replace(failing("FailedAttachVolume", `Multi-Attach error for volume "pv-7" Volume is already used by pod(s) etl-driver`,
		"2026-11-23T11:50:00Z"), "name: etl-driver,", "name: etl-exec-1,", 1)
	driver := pod("etl-driver", "driver", volume("data")+"driver}], nodeName: n1", running)
	found := said(given(t, app, driver, waits(volume("data")), claim, event))
	d := found[0].Detail.(mechanism.VolumeUnmounted)
	require.Equal(t, mechanism.ClaimHolder{Pod: "etl-driver", Role: cause.DriverRole, Node: "n1"}, d.Claim.By)
	require.True(t, d.Claim.Shared)
	require.Contains(t, found[0].Message, "claim shared is ReadWriteOnce and attached to the driver's node n1")
	require.NotContains(t, fmt.Sprint(words.Terms{}.Of(&found[0].Cause).Do), "OnDemand")

	found = said(given(t, app, driver, waits(volume("spark-local-dir-1")), claim, event))
	require.Contains(t, fmt.Sprint(words.Terms{}.Of(&found[0].Cause).Do), "OnDemand", "scratch space")
}

// TestNodeWithoutItsCSIDriver holds that the answer names why the driver's DaemonSet has no running pod on the node only where an object
// that was read shows it.
func TestNodeWithoutItsCSIDriver(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	driver := pod("etl-driver", "driver", mounting, "phase: Pending")
	event := failing("FailedMount", `MountVolume.MountDevice failed for volume "pv-7" : kubernetes.io/csi: attacher.MountDevice failed to `+
		`create newCsiDriverClient: driver name csi.example.com not found in the list of registered CSI drivers`, "2026-11-23T11:59:00Z")
	set := func(rest string) string {
		return "\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: plugin, namespace: kube-system}\nspec: {template: {spec: {" + rest +
			"volumes: [{name: d, hostPath: {path: /var/lib/kubelet/plugins/csi.example.com/}}]}}}"
	}
	const tainted = "spec: {taints: [{key: team, value: a, effect: NoSchedule}]}\n"
	on := func(state string) string {
		return "\napiVersion: v1\nkind: Pod\nmetadata: {name: plugin-x7k2p, namespace: kube-system}\nspec: {nodeName: node-1, containers: " +
			"[{name: csi}]}\nstatus: {phase: Running, containerStatuses: [{name: csi, restartCount: 4, state: " + state + "}]}"
	}
	for name, c := range map[string]struct {
		docs []string
		says string
	}{
		"nothing else was seen": {nil, "node node-1 has no CSI driver csi.example.com (not registered)"},
		"a taint": {[]string{node("node-1", tainted+ready), set("")},
			"csi.example.com: DaemonSet kube-system/plugin does not tolerate its taint team=a:NoSchedule"},
		"a taint that it tolerates": {[]string{node("node-1", tainted+ready), set("tolerations: [{operator: Exists}], ")},
			"csi.example.com (not registered), and has taint team=a:NoSchedule"},
		"other nodes": {[]string{node("node-1", ready), set("nodeSelector: {disk: ssd}, ")},
			"csi.example.com: DaemonSet kube-system/plugin selects other nodes (disk=ssd)"},
		"it crashes": {[]string{node("node-1", ready), set(""), on("{terminated: {exitCode: 1, reason: Error}}")},
			"container csi of its pod kube-system/plugin-x7k2p there ended (Error, exit code 1, 4 restarts)"},
		"it has no image": {[]string{node("node-1", ready), set(""), on("{waiting: {reason: ImagePullBackOff}}")},
			"container csi of its pod kube-system/plugin-x7k2p there waits (ImagePullBackOff)"},
		"the DaemonSet of another": {[]string{node("node-1", tainted+ready), strings.ReplaceAll(set(""), "csi.example.com", "nfs.example.com")},
			"csi.example.com (not registered), and has taint team=a:NoSchedule"},
	} {
		found := said(given(t, append([]string{app, driver, event}, c.docs...)...))
		require.Contains(t, found[0].Message+"$", c.says, name)
		require.Equal(t, cause.Storage, found[0].Class, name)
		require.NotContains(t, fmt.Sprint(words.Terms{}.Of(&found[0].Cause).Do), "the event names", name)
	}
}
