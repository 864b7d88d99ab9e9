package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// noFinalizers removes what a test put there, so that its namespace does not hang.
const noFinalizers = `{"metadata":{"finalizers":null}}`

func finalizer(name string) func(*unstructured.Unstructured) {
	return func(app *unstructured.Unstructured) { app.SetFinalizers([]string{name}) }
}

func (s situation) release(t *testing.T, namespace, name string) {
	t.Helper()
	_, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Patch(t.Context(), name, types.MergePatchType,
		[]byte(noFinalizers), metav1.PatchOptions{})
	require.NoError(t, err)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), namespace, name))
}

// scanUntil scans until there is a finding: one second has to pass before something is stuck.
func (s situation) scanUntil(t *testing.T, args ...string) outcome {
	t.Helper()
	var o outcome
	until(t, "a finding", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, args...)
		return len(o.findings()) > 0, nil
	})
	return o
}

func stuckFinalizer(t *testing.T, s situation) {
	ns := s.namespace(t, "stuck")
	s.application(t, ns, "etl", finalizer("flyte/flytek8s"))
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "ten minutes have not passed")
	o := s.scanUntil(t, "-n", ns, "--stuck-after", "1s")
	require.Equal(t, []string{"error proven SD2005 SparkApplication stuck/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "finalizer flyte/flytek8s (set by FlytePropeller, whose Deployment was not found)")
	s.release(t, ns, "etl")
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--stuck-after", "1s").findings())
}

// foregroundDelete holds the driver by the finalizer of a fork, so that the application waits for it.
func foregroundDelete(t *testing.T, s situation) {
	ns := s.namespace(t, "foreground")
	s.application(t, ns, "etl")
	hold := []byte(`{"metadata":{"finalizers":["kubeflow/spark-operator"]}}`)
	pods := s.cp.Client.CoreV1().Pods(ns)
	_, err := pods.Patch(t.Context(), "etl-driver", types.MergePatchType, hold, metav1.PatchOptions{})
	require.NoError(t, err)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationForeground)
	until(t, "the driver to be terminating", func(ctx context.Context) (bool, error) {
		pod, err := pods.Get(ctx, "etl-driver", metav1.GetOptions{})
		return err == nil && pod.DeletionTimestamp != nil, err
	})
	zero := int64(0)
	require.NoError(t, pods.Delete(t.Context(), "etl-driver", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
	var o outcome
	until(t, "both to be stuck", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--stuck-after", "1s")
		return len(o.findings()) == 2, nil
	})
	require.Equal(t, []string{"error proven SD2005 Pod foreground/etl-driver", "error proven SD2005 SparkApplication foreground/etl"},
		o.findings(), o.stdout)
	require.Contains(t, o.report.Items[1].Message, "it waits for Pod foreground/etl-driver (itself held by kubeflow/spark-operator)")
	require.Len(t, o.report.Items[1].CausedBy, 1, "the application hangs because the driver does")
	_, err = pods.Patch(t.Context(), "etl-driver", types.MergePatchType, []byte(noFinalizers), metav1.PatchOptions{})
	require.NoError(t, err)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"))
}

// refusedRemoval proves what SD2005 says of a webhook that is down: with Fail nothing removes the finalizer.
func refusedRemoval(t *testing.T, s situation) {
	ns := s.namespace(t, "refused")
	s.application(t, ns, "etl", finalizer("argocd.argoproj.io/hook-finalizer"))
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	require.NoError(t, s.op.StopWebhook(t.Context()))
	_, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Patch(t.Context(), "etl", types.MergePatchType,
		[]byte(noFinalizers), metav1.PatchOptions{})
	require.ErrorContains(t, err, "failed calling webhook")
	o := s.scanUntil(t, "-n", ns, "--stuck-after", "1s", "--checks", "SD2005")
	require.Equal(t, []string{"error proven SD2005 SparkApplication refused/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "must admit its removal, but Service spark-operator/spark-operator-webhook-svc has no ready endpoint")
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.release(t, ns, "etl")
}

// ownerlessDriver shows a driver that nothing ties to its application. Up to 2.3.0 that is what a webhook which fails
// open leaves behind; later the reference has to be taken away.
func ownerlessDriver(t *testing.T, s situation) {
	ns := s.namespace(t, "ownerless")
	s.application(t, ns, "etl")
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--new-after", "0s").findings())
	pods := s.cp.Client.CoreV1().Pods(ns)
	_, err := pods.Patch(t.Context(), "etl-driver", types.MergePatchType, []byte(`{"metadata":{"ownerReferences":null}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "the application is new")
	o := s.doctor.scan(t, "-n", ns, "--new-after", "0s")
	require.Equal(t, []string{"warning proven SD2006 Pod ownerless/etl-driver"}, o.findings(), o.stdout)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"))
	pod, err := pods.Get(t.Context(), "etl-driver", metav1.GetOptions{})
	require.NoError(t, err, "the driver runs on, as the finding said")
	require.Equal(t, corev1.PodRunning, pod.Status.Phase)
	require.NoError(t, pods.Delete(t.Context(), "etl-driver", metav1.DeleteOptions{}))
}

func workflowTemplates() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "workflowtemplates"}
}

func argoTemplate(t *testing.T, s situation) {
	require.Equal(t, "passed", s.doctor.scan(t, "--checks", "SD2004").report.Checks[0].Status, "no Argo, no workflows")
	s.crd(t, "argoproj.io", "v1alpha1", "workflowtemplates", "WorkflowTemplate")
	ns := s.namespace(t, "argo")
	template := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "WorkflowTemplate", "metadata": map[string]any{"name": "nightly"},
		"spec": map[string]any{"templates": []any{map[string]any{"name": "submit", "resource": map[string]any{
			"action": "create", "setOwnerReference": true,
			"manifest": "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {generateName: etl-, namespace: team-a}\n",
		}}}},
	}}
	_, err := s.cp.Dynamic.Resource(workflowTemplates()).Namespace(ns).Create(t.Context(), template, metav1.CreateOptions{})
	require.NoError(t, err)
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"error proven SD2004 WorkflowTemplate argo/nightly"}, o.findings(), o.stdout)
}

// crd serves a kind without a schema.
func (s situation) crd(t *testing.T, group, version, plural, kind string) {
	t.Helper()
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": plural + "." + group},
		"spec": map[string]any{
			"group": group, "scope": "Namespaced", "names": map[string]any{"plural": plural, "kind": kind},
			"versions": []any{map[string]any{"name": version, "served": true, "storage": true, "schema": map[string]any{
				"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
			}}},
		},
	}}
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	_, err := s.cp.Dynamic.Resource(crds).Create(t.Context(), crd, metav1.CreateOptions{})
	require.NoError(t, err)
	served := schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
	until(t, plural+" to be served", func(ctx context.Context) (bool, error) {
		_, err := s.cp.Dynamic.Resource(served).List(ctx, metav1.ListOptions{})
		return err == nil, err
	})
}
