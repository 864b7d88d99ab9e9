package e2e

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// application creates one and waits until its driver runs.
func (s situation) application(t *testing.T, namespace, name string,
	change ...func(*unstructured.Unstructured)) *unstructured.Unstructured {
	t.Helper()
	app := controlplane.NewApplication(namespace, name)
	for _, c := range change {
		c(app)
	}
	_, err := s.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	running, err := s.cp.WaitForState(t.Context(), namespace, name, "RUNNING")
	require.NoError(t, err)
	return running
}

func (s situation) patch(t *testing.T, namespace, name string, patch map[string]any, subresources ...string) {
	t.Helper()
	raw, err := json.Marshal(patch)
	require.NoError(t, err)
	_, err = s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Patch(t.Context(), name, types.MergePatchType, raw,
		metav1.PatchOptions{}, subresources...)
	require.NoError(t, err)
}

func (s situation) deleteApp(t *testing.T, namespace, name string, propagation metav1.DeletionPropagation) {
	t.Helper()
	err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Delete(t.Context(), name,
		metav1.DeleteOptions{PropagationPolicy: &propagation})
	require.NoError(t, err)
}

func (s situation) configMap(t *testing.T, namespace, name string) *corev1.ConfigMap {
	t.Helper()
	cm, err := s.cp.Client.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	return cm
}

// withManagerPaused runs fn while nothing is garbage-collected.
func (s situation) withManagerPaused(t *testing.T, fn func()) {
	t.Helper()
	require.NoError(t, s.cp.PauseControllerManager())
	defer func() { require.NoError(t, s.cp.ResumeControllerManager()) }()
	fn()
}

func ownerReferences(kind, apiVersion, name, uid string) map[string]any {
	return map[string]any{"metadata": map[string]any{"ownerReferences": []any{map[string]any{"apiVersion": apiVersion, "kind": kind,
		"name": name, "uid": uid}}}}
}

func until(t *testing.T, what string, holds func(context.Context) (bool, error)) {
	t.Helper()
	require.NoError(t, controlplane.Until(t.Context(), patience, what, holds))
}
