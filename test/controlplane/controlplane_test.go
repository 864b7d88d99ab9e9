package controlplane

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
)

const minute = time.Minute

func start(t *testing.T, opts Options) *ControlPlane {
	t.Helper()
	opts.Log = t.Output()
	cp, err := Start(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("operator logs:\n%s", cp.operatorLogs())
		}
		require.NoError(t, cp.Stop())
	})
	return cp
}

func pods() schema.GroupVersionResource {
	return schema.GroupVersionResource{Version: "v1", Resource: "pods"}
}

func TestStopLeavesNothing(t *testing.T) {
	cp := start(t, Options{})
	processes := cp.processes
	require.Len(t, processes, 5)
	require.NoError(t, cp.Stop())
	for _, p := range processes {
		require.False(t, p.alive(), p.name)
	}
	_, err := os.Stat(cp.Dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, cp.Stop(), "stopping twice is allowed")
}

func TestTwoClustersAtOnce(t *testing.T) {
	one, two := start(t, Options{}), start(t, Options{})
	ctx := t.Context()
	require.NoError(t, one.CreateNamespace(ctx, "only-here"))
	_, err := two.Client.CoreV1().Namespaces().Get(ctx, "only-here", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), "got %v", err)
}

func TestFailureShowsTheLog(t *testing.T) {
	_, err := Start(t.Context(), Options{Log: t.Output(), APIServerArgs: []string{"--no-such-flag"}})
	require.ErrorContains(t, err, "kube-apiserver ended early")
	require.ErrorContains(t, err, "unknown flag: --no-such-flag")
}

func TestGrant(t *testing.T) {
	cp := start(t, Options{})
	ctx := t.Context()
	client, err := kubernetes.NewForConfig(cp.RESTConfigFor("u1"))
	require.NoError(t, err)
	list := func(namespace string) error {
		_, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
		return err
	}
	require.True(t, apierrors.IsForbidden(list("default")))
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}
	require.NoError(t, cp.Grant(ctx, "u1", "default", rule))
	require.NoError(t, Until(ctx, minute, "the grant", func(context.Context) (bool, error) {
		err := list("default")
		return err == nil, err
	}))
	require.True(t, apierrors.IsForbidden(list("kube-system")))
	_, err = cp.Kubeconfig("stranger")
	require.Error(t, err)
}

// ownedAcross creates an application whose owner is a ConfigMap in another namespace.
func ownedAcross(t *testing.T, cp *ControlPlane, name string) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, cp.CreateNamespace(ctx, "owners"))
	require.NoError(t, cp.CreateNamespace(ctx, "jobs"))
	owner, err := cp.Dynamic.Resource(Applications()).Namespace("owners").Create(ctx, NewApplication("owners", "owner-of-"+name),
		metav1.CreateOptions{})
	require.NoError(t, err)
	app := NewApplication("jobs", name)
	app.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(),
	}})
	_, err = cp.CreateApplication(ctx, app)
	require.NoError(t, err)
}

func TestGarbageCollectorAcrossNamespaces(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	ctx := t.Context()
	ownedAcross(t, cp, "dependent")
	begin := time.Now()
	require.NoError(t, cp.WaitForGone(ctx, Applications(), "jobs", "dependent"))
	t.Logf("gone after %s", time.Since(begin).Round(time.Millisecond))
	require.NoError(t, Until(ctx, minute, "the event OwnerRefInvalidNamespace", func(ctx context.Context) (bool, error) {
		events, err := cp.Client.CoreV1().Events("jobs").List(ctx, metav1.ListOptions{FieldSelector: "reason=OwnerRefInvalidNamespace"})
		if err != nil || len(events.Items) == 0 {
			return false, err
		}
		return events.Items[0].InvolvedObject.Name == "dependent", nil
	}))
}

func TestPausedControllersLeaveTheReference(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	ctx := t.Context()
	// The namespaces need the controllers, so they come before the pause.
	require.NoError(t, cp.CreateNamespace(ctx, "owners"))
	require.NoError(t, cp.CreateNamespace(ctx, "jobs"))
	require.NoError(t, cp.PauseControllerManager())
	ownedAcross(t, cp, "kept")
	// The same change took the collector well under a second in TestGarbageCollectorAcrossNamespaces.
	require.Never(t, func() bool {
		_, err := cp.Dynamic.Resource(Applications()).Namespace("jobs").Get(ctx, "kept", metav1.GetOptions{})
		return err != nil
	}, 3*time.Second, 100*time.Millisecond)
	require.NoError(t, cp.ResumeControllerManager())
	require.NoError(t, cp.WaitForGone(ctx, Applications(), "jobs", "kept"))
}

func TestCRDsLaterAreSeenByTheCollector(t *testing.T) {
	cp := start(t, Options{})
	require.NoError(t, cp.InstallCRDs(t.Context(), "2.5.1"))
	ownedAcross(t, cp, "dependent")
	require.NoError(t, cp.WaitForGone(t.Context(), Applications(), "jobs", "dependent"))
}

func TestDecodeSkipsEmptyDocuments(t *testing.T) {
	objects, err := decode([]byte("---\n---\nkind: A\n---\nkind: B\n"))
	require.NoError(t, err)
	require.Equal(t, []*unstructured.Unstructured{{Object: map[string]any{"kind": "A"}}, {Object: map[string]any{"kind": "B"}}}, objects)
}
