package e2e

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// unadmitted makes an application that the operator's webhooks have not seen, with an owner of a kind that is not served.
func (f fixing) unadmitted(t *testing.T, app *unstructured.Unstructured) {
	t.Helper()
	app.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "pipelines.example.com/v1", Kind: "Pipeline", Name: "nightly",
		UID: "00000000-0000-4000-8000-000000000001"}})
	var restore []func()
	for _, plural := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		configurations := f.cp.Dynamic.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1",
			Resource: plural})
		was, err := configurations.Get(t.Context(), installed, metav1.GetOptions{})
		require.NoError(t, err)
		put := func(webhooks any) {
			raw, err := json.Marshal(map[string]any{"webhooks": webhooks})
			require.NoError(t, err)
			_, err = configurations.Patch(t.Context(), installed, types.MergePatchType, raw, metav1.PatchOptions{})
			require.NoError(t, err)
		}
		webhooks, _, err := unstructured.NestedSlice(was.DeepCopy().Object, "webhooks")
		require.NoError(t, err)
		for _, w := range webhooks {
			w.(map[string]any)["namespaceSelector"] = map[string]any{"matchLabels": map[string]any{"asked": "nobody"}}
		}
		put(webhooks)
		restore = append(restore, func() { put(was.Object["webhooks"]) })
	}
	want := app.Object["spec"]
	until(t, "the API server to ask nobody", func(ctx context.Context) (bool, error) {
		tried, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace(app.GetNamespace()).Create(ctx, app,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil && sameJSON(t, want, tried.Object["spec"]), err
	})
	_, err := f.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	for _, back := range restore {
		back()
	}
	f.admitted(t)
	until(t, "the API server to ask the webhooks again", func(ctx context.Context) (bool, error) {
		half := controlplane.NewApplication(app.GetNamespace(), "half")
		unstructured.RemoveNestedField(half.Object, "spec", "driver", "cores")
		tried, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace(app.GetNamespace()).Create(ctx, half,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			return false, err
		}
		_, found, _ := unstructured.NestedInt64(tried.Object, "spec", "driver", "cores")
		return found, nil
	})
}

func sameJSON(t *testing.T, a, b any) bool {
	t.Helper()
	left, err := json.Marshal(a)
	require.NoError(t, err)
	right, err := json.Marshal(b)
	require.NoError(t, err)
	return string(left) == string(right)
}

// denied is a name that the operator has refused since 2.4.0, in any write (#2711).
func denied(t *testing.T, f fixing) {
	require.NoError(t, f.op.StopController(t.Context()))
	f.unadmitted(t, controlplane.NewApplication("denied", "1etl"))
	f.refusedBeforehand(t, "denied", "1etl", "denied the request")
	require.NoError(t, f.op.StartController(t.Context()))
}

// defaulted is an application whose spec the operator would complete with whatever is written to it.
func defaulted(t *testing.T, f fixing) {
	require.NoError(t, f.op.StopController(t.Context()))
	half := controlplane.NewApplication("defaults", "etl")
	unstructured.RemoveNestedField(half.Object, "spec", "driver", "cores")
	f.unadmitted(t, half)
	f.refusedBeforehand(t, "defaults", "etl", "the operator's webhook would change the spec of SparkApplication defaults/etl along with it")
	require.NoError(t, f.op.StartController(t.Context()))
}

// refusedBeforehand shows a repair that the server would not take as it is meant: nothing is written.
func (f fixing) refusedBeforehand(t *testing.T, namespace, name, why string) {
	t.Helper()
	r := repair{check: "SD2002", kind: "SparkApplication", namespace: namespace, name: name}
	require.NotEmpty(t, f.found(t, r))
	plan := []object{application(namespace, name)}
	before := f.versions(t, plan)
	f.proxy.Forget()
	tried := f.fix(t, r, t.TempDir(), "--dry-run=server")
	require.Contains(t, []int{1, 4}, tried.code, tried.stdout+tried.stderr)
	require.Contains(t, tried.stdout, why)
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 4, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout+o.stderr, why)
	require.Empty(t, f.writes())
	require.Equal(t, before, f.versions(t, plan))
}
