package load

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

func TestCreate(t *testing.T) {
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.5.1"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	ctx := t.Context()

	etcd, err := cp.Etcd()
	require.NoError(t, err)
	got, err := Create(ctx, cp.RESTConfig(), etcd, Fleet{Namespaces: 2, Applications: 3, Entries: 3, Large: 1, LargeEntries: 2000, Pods: 12,
		Extras: 2})
	require.NoError(t, err)
	require.Equal(t, 12, got.Pods)
	got, err = Create(ctx, cp.RESTConfig(), etcd, Fleet{Namespaces: 2, Applications: 6, Entries: 3, Large: 2, LargeEntries: 2000, Pods: 24,
		Existing: 3})
	require.NoError(t, err)
	t.Log(got)
	apps, err := cp.Dynamic.Resource(controlplane.Applications()).List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, apps.Items, 6)
	entries := map[string]int{}
	for _, app := range apps.Items {
		states, _, err := unstructured.NestedStringMap(app.Object, "status", "executorState")
		require.NoError(t, err)
		entries[app.GetName()] = len(states)
	}
	require.Equal(t, 2000, entries["app-00000"])
	require.Equal(t, 2000, entries["app-00003"])
	require.Equal(t, 3, entries["app-00001"])
	pods, err := cp.Client.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
	require.NoError(t, err)
	require.Len(t, pods.Items, 24)
	owners := map[types.UID]bool{}
	for _, app := range apps.Items {
		owners[app.GetUID()] = true
	}
	for _, pod := range pods.Items {
		owners[pod.UID] = true
	}
	require.Len(t, owners, 6+24, "every UID is its own")
	for _, pod := range pods.Items {
		require.True(t, owners[pod.OwnerReferences[0].UID], "%s has its owner", pod.Name)
		require.Contains(t, pod.Name, pod.Labels["spark-app-name"])
	}
	tokens := map[string]bool{}
	for _, pod := range pods.Items {
		for _, v := range pod.Spec.Volumes {
			tokens[v.Name] = true
		}
	}
	require.Len(t, tokens, 24, "the volume with its token has a name of its own in each pod")
	services, err := cp.Client.CoreV1().Services("").List(ctx, metav1.ListOptions{LabelSelector: "spark-app-name"})
	require.NoError(t, err)
	require.Len(t, services.Items, 2)

	watch, err := cp.Dynamic.Resource(controlplane.Applications()).Watch(ctx, metav1.ListOptions{ResourceVersion: apps.GetResourceVersion()})
	require.NoError(t, err)
	defer watch.Stop()
	require.NoError(t, Touch(ctx, etcd))
	event := <-watch.ResultChan()
	touched, ok := event.Object.(*unstructured.Unstructured)
	require.True(t, ok, "the API server saw a change")
	first := apps.Items[0]
	require.NotEqual(t, first.GetResourceVersion(), touched.GetResourceVersion())
	touched.SetResourceVersion(first.GetResourceVersion())
	require.Equal(t, first.Object, touched.Object, "but nothing is different")

	before := pods.Items[0]
	require.NoError(t, AgePod(ctx, etcd, before.Namespace, before.Name, 2*time.Hour))
	after, err := cp.Client.CoreV1().Pods(before.Namespace).Get(ctx, before.Name, metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, 2*time.Hour, before.CreationTimestamp.Sub(after.CreationTimestamp.Time))
	require.Equal(t, before.Spec, after.Spec)
	require.Equal(t, before.Labels, after.Labels)
	require.ErrorContains(t, AgePod(ctx, etcd, before.Namespace, "nobody", time.Hour), "is not stored")
}

func TestOnlyThisMachine(t *testing.T) {
	_, err := Create(t.Context(), &rest.Config{Host: "https://192.0.2.1:6443"}, "http://127.0.0.1:1", Fleet{Applications: 1})
	require.ErrorContains(t, err, "not a loopback address")
}

func TestBounds(t *testing.T) {
	config := &rest.Config{Host: "https://127.0.0.1:1"}
	for name, fleet := range map[string]Fleet{
		"pods":         {Applications: 1, Pods: maxPods + 1},
		"applications": {Applications: maxApplications + 1},
		"large":        {Applications: 1, Large: 2},
		"uneven":       {Applications: 2, Pods: 3},
		"homeless":     {Pods: 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Create(t.Context(), config, "http://127.0.0.1:1", fleet)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "connection refused", "refused before anything is sent")
		})
	}
}
