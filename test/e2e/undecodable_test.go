package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestUndecodableApplication lets an application in that the operator cannot decode, and looks at what it does to others.
func TestUndecodableApplication(t *testing.T) {
	t.Parallel()
	const version, ns = "2.5.1", "jobs"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{ns},
		Values: map[string]any{"webhook": map[string]any{"failurePolicy": "Ignore"}}})
	require.NoError(t, err)
	s := situation{cp: cp, op: op, doctor: as(t, cp, build(t), "admin"), version: version}
	s.application(t, ns, "before")
	poison := controlplane.NewApplication(ns, "poison")
	poison.Object["spec"].(map[string]any)["driver"].(map[string]any)["template"] = map[string]any{"spec": map[string]any{"containers": []any{
		map[string]any{"name": "spark-kubernetes-driver", "env": []any{map[string]any{"name": "RETRIES", "value": int64(3)}}},
	}}}
	_, err = cp.CreateApplication(t.Context(), poison.DeepCopy())
	require.ErrorContains(t, err, "cannot unmarshal number", "the webhook decodes what it admits")
	require.NoError(t, op.StopWebhook(t.Context()))
	_, err = cp.CreateApplication(t.Context(), poison)
	require.NoError(t, err, "the CRD does not describe templates")
	require.NoError(t, op.StartWebhook(t.Context()))
	_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "after"))
	require.NoError(t, err)
	time.Sleep(10 * time.Second)
	require.Empty(t, stateOf(t, cp, ns, "after"), "the controller runs on and sees nothing new")

	o := s.doctor.scan(t, "--checks", "SD5003,SD6001", "--new-after", "1s")
	require.Contains(t, o.findings(), "error proven SD5003 SparkApplication jobs/poison", o.stdout)
	for _, item := range o.report.Items {
		switch item.Check {
		case "SD5003":
			require.Contains(t, item.Message, "spec.driver.template.spec.containers[0].env[0].value is a number, not a string: operator 2.5.1 "+
				"cannot decode it")
			require.Contains(t, item.Message, "1 application waits already")
		case "SD6001":
			require.Len(t, item.CausedBy, 1, "%s", item.Message)
		}
	}
	require.NoError(t, cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Delete(t.Context(), "poison", metav1.DeleteOptions{}))
	_, err = cp.WaitForState(t.Context(), ns, "after", "RUNNING")
	require.NoError(t, err, "it goes on by itself")
	require.Empty(t, s.doctor.scan(t, "--checks", "SD5003").findings())
}

func stateOf(t *testing.T, cp *controlplane.ControlPlane, namespace, name string) string {
	t.Helper()
	app, err := cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
	return state
}
