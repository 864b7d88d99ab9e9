package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestLostFields: gate names the application that sets a field which the target's CRD does not have. Once that CRD is applied, the API
// server hides the field, although nothing wrote the application.
func TestLostFields(t *testing.T) {
	t.Parallel()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.3.0"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	hasOperator(t, cp, "2.3.0")
	require.NoError(t, cp.CreateNamespace(t.Context(), "jobs"))
	crds := cp.Dynamic.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions"})
	const crd, field = "sparkapplications.sparkoperator.k8s.io", "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/ours"
	patch := func(text string) {
		_, err := crds.Patch(t.Context(), crd, types.JSONPatchType, []byte(text), metav1.PatchOptions{})
		require.NoError(t, err)
	}
	next, err := crds.Get(t.Context(), crd, metav1.GetOptions{})
	require.NoError(t, err)
	patch(`[{"op":"add","path":"` + field + `","value":{"type":"object","additionalProperties":{"type":"string"}}}]`)
	apps := cp.Dynamic.Resource(controlplane.Applications()).Namespace("jobs")
	stored := func(name string) (ours bool, version string) {
		app, err := apps.Get(t.Context(), name, metav1.GetOptions{})
		require.NoError(t, err)
		_, ours, err = unstructured.NestedFieldNoCopy(app.Object, "spec", "ours")
		require.NoError(t, err)
		return ours, app.GetResourceVersion()
	}
	for _, name := range []string{"plain", "etl"} {
		app := controlplane.NewApplication("jobs", name)
		if name == "etl" {
			require.NoError(t, unstructured.SetNestedStringMap(app.Object, map[string]string{"tier": "gold"}, "spec", "ours"))
		}
		until(t, "the field in the schema", func(ctx context.Context) (bool, error) {
			_, err := cp.CreateApplication(ctx, app.DeepCopy())
			if err != nil && !apierrors.IsAlreadyExists(err) {
				return false, err
			}
			if ours, _ := stored(name); ours == (name == "etl") {
				return true, nil
			}
			return false, apps.Delete(ctx, name, metav1.DeleteOptions{})
		})
	}

	target := rendered(t, next)
	o := as(t, cp, build(t), "admin").run(t, "gate", "--to", "2.5.2", "--target-manifests", target, "--checks", "SD7026", "-o", "json")
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &o.report), "%s\n%s", o.stdout, o.stderr)
	var said []string
	for _, item := range o.report.Items {
		if item.Severity == "warning" {
			said = append(said, item.Message)
		}
	}
	require.Equal(t, []string{"the CRD in the manifests of 2.5.2 has no spec.ours: the API server will hide and then drop what " +
		"1 SparkApplication sets there, such as jobs/etl"}, said, o.stdout)

	_, before := stored("etl")
	patch(`[{"op":"remove","path":"` + field + `"}]`)
	until(t, "the field to be hidden", func(context.Context) (bool, error) { ours, _ := stored("etl"); return !ours, nil })
	_, after := stored("etl")
	require.Equal(t, before, after, "nothing wrote it")
}

// rendered are the manifests of 2.5.2 with a CRD.
func rendered(t *testing.T, crd *unstructured.Unstructured) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), "target.yaml")
	unstructured.RemoveNestedField(crd.Object, "metadata", "managedFields")
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{crd.Object, map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{
			"name": "spark-operator-controller", "labels": map[string]any{
				"app.kubernetes.io/name": "spark-operator", "app.kubernetes.io/component": "controller", "app.kubernetes.io/version": "2.5.2",
			}},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
			"name": "spark-operator-controller", "image": "ghcr.io/kubeflow/spark-operator/controller:2.5.2",
			"args": []any{"controller", "start", "--namespaces=jobs"},
		}}}}},
	}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(target, list, 0o600))
	return target
}
