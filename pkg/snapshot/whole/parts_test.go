package whole_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// read is an object of a view, as collect and files read it.
func read(t *testing.T, v snapshot.View, text string) *snapshot.Whole {
	t.Helper()
	src, known := snapshot.SourceOf(v)
	require.True(t, known)
	raw, err := yaml.YAMLToJSON([]byte("metadata: {name: x, labels: {a: b, c: 3}, ownerReferences: [1, {kind: Job, name: j}]}\n" + text))
	require.NoError(t, err)
	w, err := whole.Of(src, raw, snapshot.Location{})
	require.NoError(t, err)
	return w
}

func TestPartsOfAPod(t *testing.T) {
	pod := read(t, snapshot.WholePods, `
spec:
  nodeName: node-1
  serviceAccountName: s
  nodeSelector: {zone: b, bad: 1}
  volumes: [x, {persistentVolumeClaim: {claimName: c}}, {configMap: {name: m}}, {configMap: {name: [3]}}]
  containers: [{image: i, args: [controller, 3]}]
status:
  phase: Running
  initContainerStatuses: [{name: setup, state: {terminated: {exitCode: 0}}}]
  containerStatuses:
  - {name: main, state: {running: {}}, lastState: {terminated: {exitCode: 137}}}
  - {name: side, state: {terminated: {}}}
  - {name: waits, state: {waiting: {reason: x}}}
`)
	require.Equal(t, whole.Pod{Phase: "Running", NodeName: "node-1", ServiceAccount: "s", NodeSelector: map[string]string{"zone": "b"},
		Claims: []string{"c"}, ConfigMaps: []string{"m"}}, whole.PodOf(pod))
	require.Equal(t, []whole.Container{{Image: "i", Args: []string{"controller"}}}, whole.Containers(pod))
	require.Equal(t, []whole.ContainerStatus{
		{Name: "setup", Init: true, Started: true},
		{Name: "main", Started: true, Failed: true, Restarted: true},
		{Name: "side", Started: true, Failed: true}, // how is not said
		{Name: "waits"},
	}, whole.ContainerStatuses(pod))
	require.Equal(t, "b", whole.Label(pod, "a"))
	require.Empty(t, whole.Label(pod, "c"))
	require.Equal(t, []snapshot.Ref{{Kind: "Job", Name: "j"}}, whole.Owners(pod))
}

func TestPartsOfOthers(t *testing.T) {
	node := read(t, snapshot.WholeNodes, "spec: {unschedulable: true}\nstatus: {allocatable: {cpu: '4', memory: 8}}")
	require.Equal(t, whole.Node{Unschedulable: true, Allocatable: map[string]string{"cpu": "4"}}, whole.NodeOf(node))
	hard, used := whole.QuotaOf(read(t, snapshot.WholeQuotas, "status: {hard: {pods: '4'}, used: {pods: '1'}}"))
	require.Equal(t, []map[string]string{{"pods": "4"}, {"pods": "1"}}, []map[string]string{hard, used})
	about := []snapshot.Ref{{Kind: "Pod", Name: "p"}}
	require.Equal(t, about, whole.About(read(t, snapshot.WholeEvents, "involvedObject: {kind: Pod, name: p}")))
	require.Equal(t, about, whole.About(read(t, snapshot.WholeEvents, "regarding: {kind: Pod, name: p}")))
	require.Equal(t, "d", whole.DriverPod(read(t, snapshot.WholeApplications, "status: {driverInfo: {podName: d}}")))
	require.Equal(t, "Ready", whole.ConnectState(read(t, snapshot.WholeConnects, "status: {state: Ready}")))
	require.Equal(t, []string{"c", "a", "b"}, whole.Runs(read(t, snapshot.WholeSchedules,
		"status: {lastRunName: c, pastFailedRunNames: [a, 1, ''], pastSuccessfulRunNames: [c, b]}")))
}
