package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlacement(t *testing.T) {
	for message, want := range map[string][]NodeRefusal{
		"0/5 nodes are available: 2 Insufficient memory, 3 node(s) had untolerated taint {a: b}. preemption: 0/5 nodes are available: 5 No " +
			"preemption victims found for incoming pod.": {
			{Nodes: 2, Why: "Insufficient memory", Is: RoomShort, Lacks: "memory", Room: true},
			{Nodes: 3, Why: "untolerated taint {a: b}", Is: Untolerated, Taint: "a"}},
		"0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are " +
			"available: 1 Preemption is not helpful for scheduling.": {
			{Nodes: 1, Why: "didn't match Pod's node affinity/selector", Is: LabelsDiffer}},
		"0/3 nodes are available: 3 Too many pods.":                     {{Nodes: 3, Why: "Too many pods", Room: true}},
		"0/2 nodes are available: pod has unbound immediate claims.":    {{Why: "pod has unbound immediate claims"}},
		"3/4 tasks in gang unschedulable: 0/3 nodes are available: 3 A": nil,
		"0/3 nodes are unavailable: 3 Insufficient cpu.":                nil,
		"": nil,
	} {
		require.Equal(t, want, placement(message).Refusals, message)
	}
	require.Equal(t, 3, placement("0/3 nodes are unavailable: 3 Insufficient cpu.").Nodes, "another grammar")
	all := placement("0/3 nodes are available: 3 node(s) " + noVolume + ". preemption: none.")
	require.True(t, all.WantsVolume, "no node has one")
	some := placement("0/3 nodes are available: 1 node(s) " + noVolume + ", 2 Insufficient cpu.")
	require.False(t, some.WantsVolume, "others lack room")
	require.Equal(t, "data", placement(`0/5 nodes are available: persistentvolumeclaim "data" not found.`).Claim)
}

func TestAbsentIn(t *testing.T) {
	for message, want := range map[string]Absent{
		`secret "db" not found`:       {Kind: "Secret", Name: "db"},
		`configmap "conf" not found`:  {Kind: "ConfigMap", Name: "conf"},
		`configmaps "conf" not found`: {Kind: "ConfigMap", Name: "conf"}, // by the API server, where the kubelet asks it each time
		`MountVolume.SetUp failed for volume "v" : secret "team-a/keys" not found`:                       {Kind: "Secret", Name: "keys"},
		`MountVolume.SetUp failed for volume "v" : failed to fetch token: serviceaccounts "s" not found`: {Kind: "ServiceAccount", Name: "s"},
		`MountVolume.SetUp failed for volume "v" : object "team-a"/"keys" not registered`:                {},
		`couldn't find key password in Secret team-a/db`:                                                 {Kind: "Secret", Name: "db", Key: "password"},
		`couldn't find key a.conf in ConfigMap team-a/conf`:                                              {Kind: "ConfigMap", Name: "conf", Key: "a.conf"},
		`references non-existent secret key: password`:                                                   {Kind: "secret", Key: "password"},
		`Back-off pulling image "registry.example.com/secret": not found`:                                {},
	} {
		require.Equal(t, want, absentIn(message), message)
	}
}
