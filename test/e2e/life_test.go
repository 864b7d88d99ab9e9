package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// ordinaryLife lets applications live their lives while scans run in a loop: none may find anything but SD8001, which lists those that
// fail.
func ordinaryLife(t *testing.T, s situation) {
	ns := s.namespace(t, "life")
	s.schedule(t, ns)
	ctx, stop := context.WithCancel(t.Context())
	scans := make(chan []outcome)
	var count atomic.Int32
	go func() {
		var all []outcome
		for ctx.Err() == nil {
			if o, err := s.doctor.exec(t.Context(), "scan", "--confirm-after", "10s", "--skip-checks", "SD8001"); err == nil {
				all = append(all, o)
				count.Add(1)
			}
		}
		scans <- all
	}()
	// On a slow machine a round of lives is over before a scan is: go on until there were some.
	for round := 0; round < 6 || count.Load() < 6 && round < 40; round++ {
		s.lives(t, ns, round)
	}
	stop()
	all := <-scans
	for i, o := range all {
		require.True(t, o.code == 0 && strings.HasPrefix(o.stdout, "No findings"), "scan %d: exit %d\n%s%s", i, o.code, o.stdout, o.stderr)
	}
	require.GreaterOrEqual(t, len(all), 6, "scans ran while things happened")
	t.Logf("%d scans", len(all))
	s.unschedule(t, ns)
}

// lives is one application for each way to go.
func (s situation) lives(t *testing.T, ns string, round int) {
	name := func(what string) string { return fmt.Sprintf("%s-%d", what, round) }
	finish := map[string]corev1.PodPhase{"completes": corev1.PodSucceeded, "fails": corev1.PodFailed}
	for _, what := range []string{"completes", "fails", "background", "foreground", "rerun"} {
		s.application(t, ns, name(what))
		s.grow(t, ns, name(what), 1, 2, 2)
	}
	for what, phase := range finish {
		require.NoError(t, s.cp.EndPod(t.Context(), ns, name(what)+"-driver", phase))
	}
	s.deleteApp(t, ns, name("background"), metav1.DeletePropagationBackground)
	s.deleteApp(t, ns, name("foreground"), metav1.DeletePropagationForeground)
	// A change of the spec kills the job and submits it again.
	s.patch(t, ns, name("rerun"), map[string]any{"spec": map[string]any{"arguments": []any{"again"}}})
	s.suspend(t, ns, name("suspended"))
	for what, state := range map[string]string{"completes": "COMPLETED", "fails": "FAILED", "rerun": "RUNNING"} {
		_, err := s.cp.WaitForState(t.Context(), ns, name(what), state)
		require.NoError(t, err)
		s.deleteApp(t, ns, name(what), metav1.DeletePropagationBackground)
	}
	for _, what := range []string{"background", "foreground", "completes"} {
		require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, name(what)))
	}
}

// suspend uses spec.suspend, which 2.4.0 brought.
func (s situation) suspend(t *testing.T, ns, name string) {
	if s.version < "2.4" {
		return
	}
	s.application(t, ns, name)
	s.patch(t, ns, name, map[string]any{"spec": map[string]any{"suspend": true}})
	_, err := s.cp.WaitForState(t.Context(), ns, name, "SUSPENDED")
	require.NoError(t, err)
	s.patch(t, ns, name, map[string]any{"spec": map[string]any{"suspend": false}})
	_, err = s.cp.WaitForState(t.Context(), ns, name, "RUNNING")
	require.NoError(t, err)
	s.deleteApp(t, ns, name, metav1.DeletePropagationForeground)
}

func schedules() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1beta2", Resource: "scheduledsparkapplications"}
}

// schedule starts an application every few seconds, each replacing the one before.
func (s situation) schedule(t *testing.T, ns string) {
	t.Helper()
	template, _, err := unstructured.NestedMap(controlplane.NewApplication(ns, "unused").Object, "spec")
	require.NoError(t, err)
	_, err = s.cp.Dynamic.Resource(schedules()).Namespace(ns).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "ScheduledSparkApplication", "metadata": map[string]any{"name": "often"},
		"spec": map[string]any{"schedule": "@every 5s", "concurrencyPolicy": "Replace", "template": template},
	}}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// unschedule deletes the schedule and waits until what it started is gone with it.
func (s situation) unschedule(t *testing.T, ns string) {
	t.Helper()
	schedule, err := s.cp.Dynamic.Resource(schedules()).Namespace(ns).Patch(t.Context(), "often", types.MergePatchType,
		[]byte(`{"spec":{"suspend":true}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	// Of its applications there may be none at this moment: Replace deletes one before it creates the next
	// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
	last, _, err := unstructured.NestedString(schedule.Object, "status", "lastRunName")
	require.NoError(t, err)
	require.NotEmpty(t, last, "the schedule ran")
	require.NoError(t, s.cp.Dynamic.Resource(schedules()).Namespace(ns).Delete(t.Context(), "often", metav1.DeleteOptions{}))
	until(t, "the schedule's runs to be gone", func(ctx context.Context) (bool, error) {
		left, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).List(ctx,
			metav1.ListOptions{LabelSelector: "sparkoperator.k8s.io/scheduled-app-name=often"})
		return err == nil && len(left.Items) == 0, err
	})
}
