package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// connectVersion is the release whose SparkConnect controller answers.
const connectVersion = "2.5.2"

func connects() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1alpha1", Resource: "sparkconnects"}
}

// connect makes a SparkConnect named hub, where the account default may do all that a server does.
func (s situation) connect(t *testing.T, ns string, serverSpec map[string]any) {
	t.Helper()
	require.NoError(t, s.cp.CreateNamespace(t.Context(), ns))
	_, err := s.cp.Client.RbacV1().RoleBindings(ns).Create(t.Context(), &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "spark"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "admin"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: ns, Name: "default"}}}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = s.cp.Dynamic.Resource(connects()).Namespace(ns).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1alpha1", "kind": "SparkConnect", "metadata": map[string]any{"name": "hub"},
		"spec": map[string]any{"sparkVersion": "4.0.1", "image": "spark:4.0.1", "server": serverSpec, "executor": map[string]any{}},
	}}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// answers waits until why gives a verdict of a class that says some words, and returns what it printed.
func (s situation) answers(t *testing.T, ns, class string, words ...string) {
	t.Helper()
	var last outcome
	defer func() {
		if t.Failed() {
			t.Log(last.stdout + last.stderr)
		}
	}()
	until(t, "why hub in "+ns+" to be "+class, func(context.Context) (bool, error) {
		last = s.doctor.run(t, "why", "hub", "-n", ns, "-o", "json")
		var file struct {
			Verdict struct{ Class string }
		}
		if err := json.Unmarshal([]byte(last.stdout), &file); err != nil {
			return false, err
		}
		for _, word := range words {
			if !strings.Contains(last.stdout, word) {
				return false, nil
			}
		}
		return file.Verdict.Class == class, nil
	})
}

func (s situation) ready(t *testing.T, ns string) {
	t.Helper()
	until(t, "the server of "+ns+" to be Ready", func(ctx context.Context) (bool, error) {
		got, err := s.cp.Dynamic.Resource(connects()).Namespace(ns).Get(ctx, "hub", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		state, _, err := unstructured.NestedString(got.Object, "status", "state")
		return state == "Ready", err
	})
}

// TestConnect asks why of SparkConnect servers that the real operator makes, or cannot make.
func TestConnect(t *testing.T) {
	t.Parallel()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: connectVersion})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: connectVersion,
		JobNamespaces: []string{"serves", "relabelled", "evicted", "full", "nobody", "nameless"}})
	require.NoError(t, err)
	s := situation{cp: cp, op: op, doctor: as(t, cp, build(t), "admin"), version: connectVersion}

	t.Run("serves", func(t *testing.T) {
		s.connect(t, "serves", map[string]any{})
		s.ready(t, "serves")
		s.answers(t, "serves", "runningNormally", "hub-server")
	})
	t.Run("the Service keeps the selector of an older version", func(t *testing.T) {
		s.connect(t, "relabelled", map[string]any{})
		s.ready(t, "relabelled")
		_, err := cp.Dynamic.Resource(connects()).Namespace("relabelled").Patch(t.Context(), "hub", types.MergePatchType,
			[]byte(`{"spec":{"sparkVersion":"4.1.0"}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		s.answers(t, "relabelled", "network", "spark-version=4.0.1, and the pod has 4.1.0")
		require.NoError(t, cp.Client.CoreV1().Services("relabelled").Delete(t.Context(), "hub-server", metav1.DeleteOptions{}))
		s.answers(t, "relabelled", "runningNormally")
	})
	t.Run("an evicted server is not replaced until it is deleted", func(t *testing.T) {
		s.connect(t, "evicted", map[string]any{})
		s.ready(t, "evicted")
		require.NoError(t, cp.EndPod(t.Context(), "evicted", "hub-server", corev1.PodFailed))
		_, err := cp.Client.CoreV1().Pods("evicted").Patch(t.Context(), "hub-server", types.MergePatchType,
			[]byte(`{"status":{"reason":"Evicted","message":"The node was low on resource: memory."}}`), metav1.PatchOptions{}, "status")
		require.NoError(t, err)
		s.answers(t, "evicted", "clusterKilled", "low on resource", "the operator replaces none", "kubectl -n evicted delete pod hub-server")
		require.NoError(t, cp.Client.CoreV1().Pods("evicted").Delete(t.Context(), "hub-server", metav1.DeleteOptions{}))
		s.ready(t, "evicted")
		s.answers(t, "evicted", "runningNormally")
	})
	t.Run("a quota refuses the server, and only the operator's log says so", func(t *testing.T) {
		require.NoError(t, cp.CreateNamespace(t.Context(), "full"))
		_, err := cp.Client.CoreV1().ResourceQuotas("full").Create(t.Context(), &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "none"},
			Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": resource.MustParse("0")}}}, metav1.CreateOptions{})
		require.NoError(t, err)
		s.connect(t, "full", map[string]any{})
		s.answers(t, "full", "quota", "the operator cannot create the server pod", "ResourceQuota none")
	})
	t.Run("the account does not exist", func(t *testing.T) {
		s.connect(t, "nobody", map[string]any{"template": map[string]any{"spec": map[string]any{"serviceAccountName": "nobody"}}})
		s.answers(t, "nobody", "configuration", "nobody")
	})
	t.Run("the Service has no name", func(t *testing.T) {
		s.connect(t, "nameless", map[string]any{"service": map[string]any{"spec": map[string]any{"type": "ClusterIP"}}})
		s.answers(t, "nameless", "configuration", "spec.server.service has no metadata.name")
	})
}
