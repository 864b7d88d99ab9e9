package mechanism_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestDriverOfTheClaimIsNotOnTheNode: the provisioner says of which node it knows no topology. Another error of it is told as it is, and
// taints of Kubernetes keep no node plugin off for long.
func TestDriverOfTheClaimIsNotOnTheNode(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: RUNNING}")
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running)
	waits := pod("etl-exec-1", "executor", "containers: [{name: spark-kubernetes-executor}], volumes: [{name: v, "+
		"persistentVolumeClaim: {claimName: data}}]", unschedulable("running PreBind plugin VolumeBinding: binding volumes: timed out"))
	const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: jobs, creationTimestamp: " +
		"\"2026-11-23T11:10:00Z\", annotations: {volume.kubernetes.io/storage-provisioner: ebs.csi.aws.com}}\nspec: {storageClassName: gp3}\n" +
		"status: {phase: Pending}"
	failed := func(message string) string {
		return "apiVersion: v1\nkind: Event\nmetadata: {namespace: jobs, name: e}\ntype: Warning\nreason: ProvisioningFailed\n" +
			"involvedObject: {kind: PersistentVolumeClaim, namespace: jobs, name: data}\nlastTimestamp: '2026-11-23T11:59:00Z'\nmessage: '" +
			message + "'"
	}
	const absent = `failed to provision volume with StorageClass "gp3": error generating accessibility requirements: ` +
		`no topology key found on ` +
		`CSINode n1`
	const unready = "spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]}\n" + ready
	const tainted = "spec: {taints: [{key: shuffle, value: \"true\", effect: NoSchedule}]}\n" + ready
	for name, row := range map[string]struct {
		docs []string
		want mechanism.DriverAbsent
	}{
		"a taint": {[]string{failed(absent), node("n1", tainted)},
			mechanism.DriverAbsent{"n1", "ebs.csi.aws.com", []string{"shuffle=true:NoSchedule"}}},
		"not ready":     {[]string{failed(absent), node("n1", unready)}, mechanism.DriverAbsent{Node: "n1", Driver: "ebs.csi.aws.com"}},
		"node unseen":   {[]string{failed(absent)}, mechanism.DriverAbsent{Node: "n1", Driver: "ebs.csi.aws.com"}},
		"another error": {[]string{failed("rpc error: quota exceeded"), node("n1", tainted)}, mechanism.DriverAbsent{}},
	} {
		found := false
		for _, c := range mechanism.Causes(given(t, append([]string{app, driver, waits, claim}, row.docs...)...)) {
			if d, is := c.Detail.(mechanism.ClaimUnbound); is {
				found = true
				require.Equal(t, row.want, d.Absent, name)
			}
		}
		require.True(t, found, name)
	}
}
