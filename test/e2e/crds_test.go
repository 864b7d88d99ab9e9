package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestCRDs runs an operator on the CRDs of an older release, as Helm leaves them, and without one.
func TestCRDs(t *testing.T) {
	t.Parallel()
	const version, ns, checks = "2.5.1", "jobs", "SD5002,SD5011"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{ns}})
	require.NoError(t, err)
	s := situation{cp: cp, op: op, doctor: as(t, cp, build(t), "admin"), version: version}
	require.Empty(t, s.doctor.scan(t, "--checks", checks).findings())

	for _, older := range []string{"2.5.0", "2.4.0"} {
		require.NoError(t, cp.InstallCRDs(t.Context(), older))
		require.Empty(t, s.doctor.scan(t, "--checks", checks).findings(), "%s has the same fields", older)
	}
	for _, older := range []string{"2.3.0", "2.2.1"} {
		require.NoError(t, cp.InstallCRDs(t.Context(), older))
		o := s.doctor.scan(t, "--checks", checks)
		require.Equal(t, []string{
			"warning proven SD5002 CustomResourceDefinition /scheduledsparkapplications.sparkoperator.k8s.io",
			"warning proven SD5002 CustomResourceDefinition /sparkapplications.sparkoperator.k8s.io",
			"warning proven SD5002 CustomResourceDefinition /sparkconnects.sparkoperator.k8s.io", // 2.2.1 has none, that of 2.3.0 stays
		}, o.findings(), o.stdout)
		require.Contains(t, o.report.Items[1].Message,
			"this CRD is older than 2.4.0: the API server drops fields that operator 2.5.1 knows: spec.suspend")
	}
	app := controlplane.NewApplication(ns, "held")
	app.Object["spec"].(map[string]any)["suspend"] = true
	manifest, err := json.Marshal(app.Object)
	require.NoError(t, err)
	app.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(manifest)})
	_, err = cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	_, err = cp.WaitForState(t.Context(), ns, "held", "RUNNING")
	require.NoError(t, err, "the API server dropped spec.suspend")
	o := s.doctor.scan(t, "--checks", checks)
	require.Contains(t, o.findings(), "error proven SD5002 CustomResourceDefinition /sparkapplications.sparkoperator.k8s.io", o.stdout)
	require.Contains(t, o.report.Items[0].Message, "1 application lost fields of the applied manifest, such as suspend in jobs/held")

	require.NoError(t, op.StopController(t.Context()))
	require.NoError(t, cp.InstallCRDs(t.Context(), version))
	crds := cp.Dynamic.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions"})
	require.NoError(t, crds.Delete(t.Context(), "sparkconnects.sparkoperator.k8s.io", metav1.DeleteOptions{}))
	until(t, "the API server to stop serving the kind", func(context.Context) (bool, error) {
		_, err := cp.Dynamic.Resource(schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1alpha1",
			Resource: "sparkconnects"}).List(t.Context(), metav1.ListOptions{})
		return apierrors.IsNotFound(err), nil
	})
	op.LetControllerStart()
	until(t, "the controller to give up", func(context.Context) (bool, error) {
		return strings.Contains(op.Logs(), `no matches for kind \"SparkConnect\"`), nil
	})
	o = s.doctor.scan(t, "--checks", checks)
	require.Equal(t, []string{"error proven SD5011 Deployment spark-operator/spark-operator-controller"}, o.findings(), o.stdout)
	require.NoError(t, cp.InstallCRDs(t.Context(), version))
	require.Empty(t, s.doctor.scan(t, "--checks", checks).findings())
}
