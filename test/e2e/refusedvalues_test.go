package e2e

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestRefusedValues: gate names the applications whose values the target's CRD refuses. Once that CRD is applied, the API server takes
// changes elsewhere and of the status, and neither a change of the values nor a new object with them. The CRD of before demands what
// those of 2.1.0 do.
func TestRefusedValues(t *testing.T) {
	t.Parallel()
	cp, next, apply := changingCRD(t)
	const driver = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/driver/properties/"
	const ip, env = driver + "hostAliases/items/required", driver + "sidecars/items/properties/env/x-kubernetes-list-"
	apply(`[{"op":"remove","path":"` + ip + `"},{"op":"remove","path":"` + env + `type"},{"op":"remove","path":"` + env + `map-keys"}]`)

	aliases, duplicates := controlplane.NewApplication("jobs", "aliases"), controlplane.NewApplication("jobs", "duplicates")
	require.NoError(t, unstructured.SetNestedSlice(aliases.Object, []any{map[string]any{"hostnames": []any{"db"}}}, "spec", "driver",
		"hostAliases"))
	variable := map[string]any{"name": "A", "value": "1"}
	sidecar := map[string]any{"name": "agent", "image": "agent", "env": []any{variable, variable}}
	require.NoError(t, unstructured.SetNestedSlice(duplicates.Object, []any{sidecar}, "spec", "driver", "sidecars"))
	apps := cp.Dynamic.Resource(controlplane.Applications()).Namespace("jobs")
	for _, app := range []*unstructured.Unstructured{controlplane.NewApplication("jobs", "plain"), aliases, duplicates} {
		until(t, "the CRD that takes it", func(ctx context.Context) (bool, error) {
			_, err := cp.CreateApplication(ctx, app.DeepCopy())
			if err == nil || apierrors.IsInvalid(err) {
				return err == nil, nil
			}
			return false, err
		})
	}

	o := gated(t, cp, next, "SD7029")
	var said []string
	for _, item := range o.report.Items {
		said = append(said, item.Object.Name+": "+item.Message)
	}
	slices.Sort(said)
	const will = "the CRDs in the manifests of 2.5.2 will reject a re-create"
	require.Equal(t, []string{
		"aliases: " + will + ", and a change of that part: spec.driver.hostAliases.[] must set ip",
		"duplicates: " + will + ": spec.driver.sidecars.[].env must not have two items with the same name",
	}, said, o.stdout)

	apply(`[{"op":"add","path":"` + ip + `","value":["ip"]},{"op":"add","path":"` + env + `type","value":"map"},` +
		`{"op":"add","path":"` + env + `map-keys","value":["name"]}]`)
	create := func(ctx context.Context, app *unstructured.Unstructured) error {
		again := app.DeepCopy()
		again.SetName(app.GetName() + "-again")
		_, err := apps.Create(ctx, again, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}
	for _, app := range []*unstructured.Unstructured{aliases, duplicates} {
		until(t, "the CRD that refuses it", func(ctx context.Context) (bool, error) { return apierrors.IsInvalid(create(ctx, app)), nil })
	}
	patch := func(name, text string, below ...string) error {
		_, err := apps.Patch(t.Context(), name, types.MergePatchType, []byte(text), metav1.PatchOptions{}, below...)
		return err
	}
	for _, name := range []string{"aliases", "duplicates"} {
		require.NoError(t, patch(name, `{"metadata":{"labels":{"tier":"gold"}}}`))
		require.NoError(t, patch(name, `{"spec":{"driver":{"cores":2}}}`))
		require.NoError(t, patch(name, `{"status":{"applicationState":{"state":"RUNNING"},"driverInfo":{}}}`, "status"))
	}
	err := patch("aliases", `{"spec":{"driver":{"hostAliases":[{"hostnames":["db","other"]}]}}}`)
	require.True(t, apierrors.IsInvalid(err), "%v", err)
	require.NoError(t, patch("duplicates", `{"spec":{"driver":{"sidecars":[{"name":"agent","env":[{"name":"B"},{"name":"B"}]}]}}}`))
}
