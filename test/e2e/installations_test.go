package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestTwoInstallations lets the webhook of one of two operators die while it fails open: the pods of its applications are
// one finding with its cause, and what belongs to the other operator is left alone.
func TestTwoInstallations(t *testing.T) {
	t.Parallel()
	const version = "2.5.2"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	green, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{"green"}})
	require.NoError(t, err)
	blue, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, Release: "blue", Namespace: "operators",
		JobNamespaces: []string{"blue"}})
	require.NoError(t, err)
	s := situation{cp: cp, op: green, doctor: as(t, cp, build(t), "admin"), version: version}
	s.application(t, "green", "pi", bothRolesAsk)
	o := s.doctor.scan(t)
	require.Equal(t, 0, o.code, o.stdout)
	require.Empty(t, o.findings(), "two healthy installations")

	ignore := []byte(`[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"},{"op":"replace","path":"/webhooks/1/failurePolicy","value":"Ignore"}]`)
	m := cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	list, err := m.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	var config *admissionv1.MutatingWebhookConfiguration
	for i := range list.Items {
		if list.Items[i].Webhooks[0].ClientConfig.Service.Namespace == "operators" {
			config = &list.Items[i]
		}
	}
	require.NotNil(t, config)
	_, err = m.Patch(t.Context(), config.Name, types.JSONPatchType, ignore, metav1.PatchOptions{})
	require.NoError(t, err)
	_, err = cp.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Patch(t.Context(), config.Name, types.JSONPatchType, ignore,
		metav1.PatchOptions{})
	require.NoError(t, err)
	require.NoError(t, blue.StopWebhook(t.Context()))
	for _, name := range []string{"etl", "stream"} {
		app := controlplane.NewApplication("blue", name)
		bothRolesAsk(app)
		app.Object["spec"].(map[string]any)["driver"].(map[string]any)["serviceAccount"] = "blue-spark-operator-spark"
		_, err := cp.CreateApplication(t.Context(), app)
		require.NoError(t, err)
		_, err = cp.WaitForState(t.Context(), "blue", name, "RUNNING")
		require.NoError(t, err)
	}
	until(t, "the webhook to have been down for a second", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "--checks", path+",SD4002")
		return len(o.findings()) >= 5, nil
	})
	mutating, validating := "MutatingWebhookConfiguration /"+config.Name, "ValidatingWebhookConfiguration /"+config.Name
	require.ElementsMatch(t, []string{
		"error proven SD1001 " + mutating, "error proven SD1002 " + mutating, "error proven SD1002 " + validating,
		"error proven SD4002 SparkApplication blue/etl", "info proven SD1001 " + validating,
	}, o.findings(), o.stdout)
	names := map[string]string{}
	for i, item := range o.report.Items {
		names[item.Check+" "+item.Object.Kind] = item.Metadata.Name
		if item.Check != "SD4002" {
			continue
		}
		require.Equal(t, 2, o.report.Items[i].Affected, "the drivers of both applications")
		require.Contains(t, item.Message, "2 pods of 2 applications lack fields that only the webhook adds")
		require.ElementsMatch(t, []string{names["SD1001 MutatingWebhookConfiguration"], names["SD1002 MutatingWebhookConfiguration"]},
			item.CausedBy)
	}
}
