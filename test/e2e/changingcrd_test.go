package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// changingCRD is a cluster with the CRDs of 2.3.0, that of SparkApplications as it is at first, and how to patch it.
func changingCRD(t *testing.T) (cp *controlplane.ControlPlane, first *unstructured.Unstructured, patch func(text string)) {
	t.Helper()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.3.0"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	hasOperator(t, cp, "2.3.0")
	require.NoError(t, cp.CreateNamespace(t.Context(), "jobs"))
	crds := cp.Dynamic.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions"})
	const name = "sparkapplications.sparkoperator.k8s.io"
	first, err = crds.Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	return cp, first, func(text string) {
		_, err := crds.Patch(t.Context(), name, types.JSONPatchType, []byte(text), metav1.PatchOptions{})
		require.NoError(t, err)
	}
}

// gated is the report of one check of gate on the manifests of 2.5.2 with a CRD.
func gated(t *testing.T, cp *controlplane.ControlPlane, crd *unstructured.Unstructured, check string) outcome {
	t.Helper()
	target := rendered(t, crd)
	o := as(t, cp, build(t), "admin").run(t, "gate", "--to", "2.5.2", "--target-manifests", target, "--checks", check, "-o", "json")
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &o.report), "%s\n%s", o.stdout, o.stderr)
	return o
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
