package controlplane

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// withOperator starts a cluster with an operator over the namespace "jobs".
func withOperator(t *testing.T, version string) (*ControlPlane, *Operator) {
	t.Helper()
	cp := start(t, Options{CRDs: version})
	op, err := cp.InstallOperator(t.Context(), OperatorOptions{Version: version, JobNamespaces: []string{"jobs"}})
	require.NoError(t, err)
	return cp, op
}

func TestApplicationLifecycle(t *testing.T) {
	cp, _ := withOperator(t, "2.5.1")
	ctx := t.Context()
	app, err := cp.CreateApplication(ctx, NewApplication("jobs", "pi"))
	require.NoError(t, err)
	driver, err := cp.WaitForPod(ctx, "jobs", "pi-driver")
	require.NoError(t, err)

	require.Equal(t, "yes", env(driver, "FROM_WEBHOOK"), "the env that only the webhook adds")
	require.Equal(t, app.GetUID(), driver.OwnerReferences[0].UID)
	require.Equal(t, "spark-kubernetes-driver", driver.Spec.Containers[0].Name)
	running, err := cp.WaitForState(ctx, "jobs", "pi", "RUNNING")
	require.NoError(t, err)
	id, _, _ := unstructured.NestedString(running.Object, "status", "submissionID")
	require.Equal(t, id, driver.Labels["sparkoperator.k8s.io/submission-id"])

	executors, err := cp.CreateExecutors(ctx, driver, 1, 2)
	require.NoError(t, err)
	require.Equal(t, "yes", env(executors[0], "FROM_WEBHOOK"), "executors are mutated, too")
	require.NoError(t, Until(ctx, minute, "both executors in the status", func(ctx context.Context) (bool, error) {
		got, err := cp.Dynamic.Resource(Applications()).Namespace("jobs").Get(ctx, "pi", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		states, _, err := unstructured.NestedStringMap(got.Object, "status", "executorState")
		return states[executors[0].Name] == "RUNNING" && states[executors[1].Name] == "RUNNING", err
	}))

	require.NoError(t, cp.EndPod(ctx, "jobs", driver.Name, corev1.PodSucceeded))
	_, err = cp.WaitForState(ctx, "jobs", "pi", "COMPLETED")
	require.NoError(t, err)

	require.NoError(t, cp.Dynamic.Resource(Applications()).Namespace("jobs").Delete(ctx, "pi", metav1.DeleteOptions{}))
	require.NoError(t, cp.WaitForGone(ctx, pods(), "jobs", driver.Name), "the garbage collector takes the driver")
	require.NoError(t, cp.WaitForGone(ctx, pods(), "jobs", executors[0].Name), "and the driver's executors")
}

func TestFailedDriver(t *testing.T) {
	cp, _ := withOperator(t, "2.5.1")
	ctx := t.Context()
	_, err := cp.CreateApplication(ctx, NewApplication("jobs", "doomed"))
	require.NoError(t, err)
	_, err = cp.WaitForState(ctx, "jobs", "doomed", "RUNNING")
	require.NoError(t, err)
	require.NoError(t, cp.EndPod(ctx, "jobs", "doomed-driver", corev1.PodFailed))
	_, err = cp.WaitForState(ctx, "jobs", "doomed", "FAILED")
	require.NoError(t, err)
}

func TestInvalidApplicationIsRefused(t *testing.T) {
	cp, _ := withOperator(t, "2.5.1")
	_, err := cp.CreateApplication(t.Context(), NewApplication("jobs", "1-starts-with-a-digit"))
	require.ErrorContains(t, err, "denied the request", "the operator's own validation answers")
}

func TestAllNamespaces(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	ctx := t.Context()
	_, err := cp.InstallOperator(ctx, OperatorOptions{Version: "2.5.1", JobNamespaces: []string{""}})
	require.NoError(t, err)
	require.NoError(t, cp.CreateNamespace(ctx, "anywhere"))
	app := NewApplication("anywhere", "pi")
	// The chart makes no service account where it does not know the namespace.
	require.NoError(t, unstructured.SetNestedField(app.Object, "default", "spec", "driver", "serviceAccount"))
	_, err = cp.CreateApplication(ctx, app)
	require.NoError(t, err)
	driver, err := cp.WaitForPod(ctx, "anywhere", "pi-driver")
	require.NoError(t, err)
	require.Equal(t, "yes", env(driver, "FROM_WEBHOOK"))
}

func TestOperatorVersions(t *testing.T) {
	others := slices.DeleteFunc(build.OperatorVersions(), func(version string) bool { return version == build.BaseOperator })
	for _, version := range build.Operators(others...) {
		t.Run(version, func(t *testing.T) {
			cp, _ := withOperator(t, version)
			ctx := t.Context()
			_, err := cp.CreateApplication(ctx, NewApplication("jobs", "pi"))
			require.NoError(t, err)
			driver, err := cp.WaitForPod(ctx, "jobs", "pi-driver")
			require.NoError(t, err)
			require.Equal(t, "yes", env(driver, "FROM_WEBHOOK"))
			_, err = cp.WaitForState(ctx, "jobs", "pi", "RUNNING")
			require.NoError(t, err)
			require.NoError(t, cp.EndPod(ctx, "jobs", driver.Name, corev1.PodSucceeded))
			_, err = cp.WaitForState(ctx, "jobs", "pi", "COMPLETED")
			require.NoError(t, err)
		})
	}
}

func env(pod *corev1.Pod, name string) string {
	for _, e := range pod.Spec.Containers[0].Env {
		if e.Name == name {
			return e.Value
		}
	}
	return ""
}
