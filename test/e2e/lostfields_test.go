package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestLostFields: gate names the application that sets a field which the target's CRD does not have. Once that CRD is applied, the API
// server hides the field, although nothing wrote the application.
func TestLostFields(t *testing.T) {
	t.Parallel()
	const field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/ours"
	cp, next, patch := changingCRD(t)
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

	o := gated(t, cp, next, "SD7026")
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
