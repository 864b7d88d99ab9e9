package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// fill writes entries of executors that ended long ago.
func (f fixing) fill(t *testing.T, namespace, name string, count int) {
	t.Helper()
	states := map[string]any{}
	for i := range count {
		states[fmt.Sprintf("%s-0123456789abcdef0123456789abcdef-exec-%d", name, i+1)] = "COMPLETED"
	}
	f.patch(t, namespace, name, map[string]any{"status": map[string]any{"executorState": states}}, "status")
}

func (f fixing) executorState(t *testing.T, namespace, name string) map[string]string {
	t.Helper()
	app, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	states, _, err := unstructured.NestedStringMap(app.Object, "status", "executorState")
	require.NoError(t, err)
	return states
}

func prunes(t *testing.T, f fixing) {
	f.application(t, "pruned", "stream")
	f.grow(t, "pruned", "stream", 1, 3, 3)
	until(t, "the controller to have seen all three run", func(context.Context) (bool, error) {
		states := slices.Collect(maps.Values(f.executorState(t, "pruned", "stream")))
		return !slices.ContainsFunc(states, func(s string) bool { return s != "RUNNING" }), fmt.Errorf("%v", states)
	})
	f.fill(t, "pruned", "stream", 400)
	r := repair{
		check: "SD3001", kind: "SparkApplication", namespace: "pruned", name: "stream", flags: []string{"--max-object-size", "30000"},
		allow: []string{"--keep-executors", "5"}, plan: []object{application("pruned", "stream")},
	}
	before := f.executorState(t, "pruned", "stream")
	require.Len(t, before, 403)
	f.shows(t, r)
	require.Equal(t, before, f.executorState(t, "pruned", "stream"), "every entry is back as it was")

	f.applies(t, r)
	after := f.executorState(t, "pruned", "stream")
	require.Len(t, after, 8, "the newest five and the three that run: %v", after)
	for name, state := range after {
		require.Equal(t, before[name], state)
	}
	for id := 396; id <= 400; id++ {
		require.Contains(t, after, fmt.Sprintf("stream-0123456789abcdef0123456789abcdef-exec-%d", id))
	}
	f.deleteApp(t, "pruned", "stream", metav1.DeletePropagationBackground)
}

// repairsEverything has several faults of one namespace repaired by one command, and looks at every request of it.
func repairsEverything(t *testing.T, f fixing) {
	f.application(t, "all", "grown")
	f.fill(t, "all", "grown", 400)
	f.application(t, "all", "owned")
	f.patch(t, "all", "owned", ownerReferences("Pipeline", "pipelines.example.com/v1", "nightly", "00000000-0000-4000-8000-000000000001"))
	f.application(t, "all", "parted")
	_, err := f.cp.Client.CoreV1().Pods("all").Patch(t.Context(), "parted-driver", types.MergePatchType,
		[]byte(`{"metadata":{"ownerReferences":null}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	f.application(t, "all", "held", finalizer("sparkoperator.k8s.io/finalizer"))
	require.NoError(t, f.cp.EndPod(t.Context(), "all", "held-driver", "Succeeded"))
	_, err = f.cp.WaitForState(t.Context(), "all", "held", "COMPLETED")
	require.NoError(t, err)
	f.deleteApp(t, "all", "held", metav1.DeletePropagationBackground)

	flags := []string{"-n", "all", "--new-after", "0s", "--stuck-after", "1s", "--max-object-size", "30000", "--confirm-after", "1s",
		"--lost-executors", "100000"}
	want := []string{
		"error proven SD3001 SparkApplication all/grown", "error proven SD2005 SparkApplication all/held",
		"warning proven SD2002 SparkApplication all/owned", "warning proven SD2006 Pod all/parted-driver",
	}
	until(t, "all four faults", func(context.Context) (bool, error) {
		found := f.doctor.scan(t, flags...).findings()
		return len(found) == len(want), fmt.Errorf("%v", found)
	})
	require.ElementsMatch(t, want, f.doctor.scan(t, flags...).findings())
	generations := f.generations(t, "all")
	f.proxy.Forget()
	records := t.TempDir()
	o := f.doctor.run(t, slices.Concat([]string{"fix", "--yes", "--max-risk", "destructive", "--keep-executors", "5", "--record-dir", records},
		flags)...)
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	f.wroteNoSpec(t)
	require.Len(t, f.writes(), 4, "one request for each")
	require.Empty(t, f.doctor.scan(t, flags...).findings())
	after := f.generations(t, "all")
	delete(generations, "held")
	require.Equal(t, generations, after, "no spec has changed, and only what was being deleted is gone")

	f.proxy.Forget()
	back := f.doctor.run(t, "undo", recordsIn(t, records)[0], "--yes", "--record-dir", t.TempDir())
	require.Equal(t, 1, back.code, "two of four cannot be taken back: "+back.stdout+back.stderr)
	f.wroteNoSpec(t)
	require.Len(t, f.writes(), 2)
	require.ElementsMatch(t, []string{want[0], want[3]}, f.doctor.scan(t, flags...).findings())
	for _, name := range slices.Sorted(maps.Keys(after)) {
		f.deleteApp(t, "all", name, metav1.DeletePropagationBackground)
	}
	require.NoError(t, f.cp.Client.CoreV1().Pods("all").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
}

// generations of the applications of a namespace. A generation moves when a spec does.
func (f fixing) generations(t *testing.T, namespace string) map[string]int64 {
	t.Helper()
	list, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	out := map[string]int64{}
	for _, app := range list.Items {
		out[app.GetName()] = app.GetGeneration()
	}
	return out
}
