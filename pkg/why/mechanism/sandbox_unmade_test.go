package mechanism_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestNetworkPluginThatIsAskedTooOften: HTTP 429 of a plugin is a limit, after which the kubelet tries again, so that a job goes on where
// some executors run. A registry that says 429 looks alike, and a plugin that fails for another reason. A pod that started later on the
// node shows that others come up there.
func TestNetworkPluginThatIsAskedTooOften(t *testing.T) {
	const sandbox = `Failed to create pod sandbox: rpc error: code = Unknown desc = `
	const network = sandbox + `failed to setup network for sandbox "20807bc28bfe3e19a740133e97cf04fd7652e448ece468ea10aa5da35b78367f": `
	const tooMany = network + `plugin type="cilium-cni" name="cilium" failed (add): unable to create endpoint: [PUT /endpoint/{id}][429] ` +
		`putEndpointIdTooManyRequests`
	const noPeer = network + `plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory`
	const noImage = sandbox + `failed to get sandbox image "pause:3.10": 429 Too Many Requests`
	executor := func(name, status string) string {
		return pod(name, "executor", "nodeName: a, containers: [{name: spark-kubernetes-executor}]", status)
	}
	runs := func(at string) string {
		return `phase: Running, containerStatuses: [{name: spark-kubernetes-executor, state: {running: {startedAt: "2026-11-23T` + at + `Z"}}}]`
	}
	for name, c := range map[string]struct {
		says, other string
		class       cause.Class
		fault       mechanism.SandboxFault
		plugin, err string
		beside      bool
	}{
		"one started later": {tooMany, runs("11:58:00"), cause.SlowButProgressing, mechanism.PluginLimited, "cilium-cni",
			"unable to create endpoint: [PUT /endpoint/{id}][429] putEndpointIdTooManyRequests", true},
		"one ran before": {tooMany, runs("11:01:00"), cause.SlowButProgressing, mechanism.PluginLimited, "cilium-cni",
			"unable to create endpoint: [PUT /endpoint/{id}][429] putEndpointIdTooManyRequests", false},
		"none runs": {tooMany, "phase: Pending", cause.Network, mechanism.PluginLimited, "cilium-cni",
			"unable to create endpoint: [PUT /endpoint/{id}][429] putEndpointIdTooManyRequests", false},
		"it fails": {noPeer, runs("11:58:00"), cause.Network, mechanism.NoNetwork, "calico",
			"stat /var/lib/calico/nodename: no such file or directory", true},
		"a registry": {noImage, runs("11:58:00"), cause.Image, mechanism.NoSandboxImage, "", "", false},
	} {
		event := fmt.Sprintf("{apiVersion: v1, kind: Event, metadata: {namespace: jobs, name: e1}, type: Warning, reason: "+
			"FailedCreatePodSandBox, involvedObject: {kind: Pod, namespace: jobs, name: etl-exec-2}, firstTimestamp: "+
			"'2026-11-23T11:56:00Z', lastTimestamp: '2026-11-23T11:59:00Z', source: {component: kubelet}, message: '%s'}", c.says)
		found := mechanism.Causes(given(t, application("mode: cluster", "applicationState: {state: RUNNING}"), pod("etl-driver", "driver",
			"containers: [{name: spark-kubernetes-driver}]", running), executor("etl-exec-1", c.other), executor("etl-exec-2", "phase: Pending"),
			event))
		at := 0
		for at < len(found) && found[at].Detail.Mechanism() != "sandbox-unmade" {
			at++
		}
		require.Less(t, at, len(found), name)
		d, _ := found[at].Detail.(mechanism.SandboxUnmade)
		require.Equal(t, c.class, found[at].Class, name)
		require.Equal(t, []any{c.fault, c.plugin, c.err, c.beside}, []any{d.Fault, d.Plugin, d.Error, d.Beside}, name)
	}
}
