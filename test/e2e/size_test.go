package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

func dynamicAllocation(app *unstructured.Unstructured) {
	_ = unstructured.SetNestedMap(app.Object, map[string]any{"enabled": true, "maxExecutors": int64(50)}, "spec", "dynamicAllocation")
}

// grow lets a driver start executors and waits until the controller has written n of them into the status.
func (s situation) grow(t *testing.T, namespace, name string, first, count, recorded int) {
	t.Helper()
	driver, err := s.cp.WaitForPod(t.Context(), namespace, name+"-driver")
	require.NoError(t, err)
	_, err = s.cp.CreateExecutors(t.Context(), driver, first, count)
	require.NoError(t, err)
	until(t, fmt.Sprintf("%d executors in the status", recorded), func(ctx context.Context) (bool, error) {
		app, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		states, _, err := unstructured.NestedStringMap(app.Object, "status", "executorState")
		return len(states) >= recorded, fmt.Errorf("%d executors: %w", len(states), err)
	})
}

// executorStateBySpark lets the controller itself fill the status; the limit is lowered to what 60 executors take.
func executorStateBySpark(t *testing.T, s situation) {
	ns := s.namespace(t, "growing")
	s.application(t, ns, "stream", dynamicAllocation)
	s.grow(t, ns, "stream", 1, 60, 60)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "60 executors are nothing to 1.5 MiB")
	o := s.doctor.scan(t, "-n", ns, "--max-object-size", "5000", "--checks", "SD3001,SD3004")
	require.Equal(t, []string{"error proven SD3001 SparkApplication growing/stream"}, o.findings(), o.stdout)
	s.deleteApp(t, ns, "stream", metav1.DeletePropagationBackground)
}

// executorStateByPatch writes the status that a streaming job has after weeks on an operator without a limit.
func executorStateByPatch(t *testing.T, s situation) {
	ns := s.namespace(t, "grown")
	s.application(t, ns, "stream")
	states := map[string]any{}
	for i := range 10_000 {
		states[fmt.Sprintf("stream-0123456789abcdef0123456789abcdef-exec-%d", i+1)] = "COMPLETED"
	}
	s.patch(t, ns, "stream", map[string]any{"status": map[string]any{"executorState": states}}, "status")
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD3001")
	require.Equal(t, []string{"info proven SD3001 SparkApplication grown/stream"}, o.findings(), o.stdout)
	require.Contains(t, strings.ReplaceAll(o.stdout, ",", ""), "10000", "the number of entries")
	require.Equal(t, []string{"error proven SD3001 SparkApplication grown/stream"},
		s.doctor.scan(t, "-n", ns, "--checks", "SD3001", "--max-object-size", "600000").findings())
	s.deleteApp(t, ns, "stream", metav1.DeletePropagationBackground)
}

// setControllerArgument rolls the controller out with another value of a flag, as a change of the chart's value does.
func (s situation) setControllerArgument(t *testing.T, flag, value string) {
	t.Helper()
	deployments := s.cp.Client.AppsV1().Deployments(s.op.Namespace)
	d, err := deployments.Get(t.Context(), "spark-operator-controller", metav1.GetOptions{})
	require.NoError(t, err)
	args := d.Spec.Template.Spec.Containers[0].Args
	at := -1
	for i, arg := range args {
		if strings.HasPrefix(arg, flag+"=") {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0, "%s among %v", flag, args)
	patch := fmt.Sprintf(`[{"op":"replace","path":"/spec/template/spec/containers/0/args/%d","value":%q}]`, at, flag+"="+value)
	_, err = deployments.Patch(t.Context(), d.Name, types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	require.NoError(t, err)
	until(t, "the rollout", func(ctx context.Context) (bool, error) {
		now, err := deployments.Get(ctx, d.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		st := now.Status
		return st.ObservedGeneration >= now.Generation && st.UpdatedReplicas == 1 && st.Replicas == 1 && st.ReadyReplicas == 1, nil
	})
}

const trackingFlag = "--max-tracked-executor-per-app"

func unboundedTracking(t *testing.T, s situation) {
	ns := s.namespace(t, "unbounded")
	s.application(t, ns, "stream", dynamicAllocation)
	require.Empty(t, s.doctor.scan(t, "--checks", "SD3002").findings(), "the default limit is 1,000")
	s.setControllerArgument(t, trackingFlag, "100000")
	o := s.doctor.scan(t, "--checks", "SD3002")
	require.Equal(t, []string{"warning proven SD3002 Deployment spark-operator/spark-operator-controller"}, o.findings(), o.stdout)
	s.setControllerArgument(t, trackingFlag, "1000")
	require.Empty(t, s.doctor.scan(t, "--checks", "SD3002").findings())
	s.deleteApp(t, ns, "stream", metav1.DeletePropagationBackground)
}

// beyondLimit shows that the limit is a cut-off by executor id (#2977): executor 7 runs and is in no status.
func beyondLimit(t *testing.T, s situation) {
	ns := s.namespace(t, "beyond")
	s.setControllerArgument(t, trackingFlag, "5")
	s.application(t, ns, "stream")
	s.grow(t, ns, "stream", 4, 4, 2)
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD3003")
	require.Equal(t, []string{"info proven SD3003 SparkApplication beyond/stream"}, o.findings(), o.stdout)
	s.setControllerArgument(t, trackingFlag, "1000")
	s.deleteApp(t, ns, "stream", metav1.DeletePropagationBackground)
}

func largeSpec(t *testing.T, s situation) {
	ns := s.namespace(t, "large")
	s.application(t, ns, "etl", func(app *unstructured.Unstructured) {
		conf := map[string]any{}
		for i := range 500 {
			conf[fmt.Sprintf("spark.example.setting.number%d", i)] = strings.Repeat("x", 1000)
		}
		_ = unstructured.SetNestedMap(app.Object, conf, "spec", "sparkConf")
	})
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"info proven SD3004 SparkApplication large/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "sparkConf")
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
}

// vanishedDriver deletes the driver while nobody is there to see it, then lets the controller see it.
func vanishedDriver(t *testing.T, s situation) {
	ns := s.namespace(t, "vanished")
	s.application(t, ns, "etl")
	require.NoError(t, s.op.StopController(t.Context()))
	zero := int64(0)
	require.NoError(t, s.cp.Client.CoreV1().Pods(ns).Delete(t.Context(), "etl-driver", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
	o := s.scanUntil(t, "-n", ns, "--new-after", "0s", "--checks", "SD3005") // that the controller is down is SD5008's
	require.Equal(t, []string{"error proven SD3005 SparkApplication vanished/etl"}, o.findings(), o.stdout)
	require.NoError(t, s.op.StartController(t.Context()))
	_, err := s.cp.WaitForState(t.Context(), ns, "etl", "FAILED")
	require.NoError(t, err)
	o = s.doctor.scan(t, "-n", ns, "--new-after", "0s", "--checks", "SD3005")
	require.Equal(t, []string{"warning proven SD3005 SparkApplication vanished/etl"}, o.findings(), o.stdout)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
}
