package controlplane

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestWebhookDownAndFail(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	require.NoError(t, op.StopWebhook(ctx))

	_, err := cp.CreateApplication(ctx, NewApplication("jobs", "refused"))
	require.ErrorContains(t, err, "failed calling webhook")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "refused", Labels: map[string]string{"sparkoperator.k8s.io/launched-by-spark-operator": "true"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	_, err = cp.Client.CoreV1().Pods("jobs").Create(ctx, pod, metav1.CreateOptions{})
	require.ErrorContains(t, err, "failed calling webhook")
	pod.Labels = nil
	_, err = cp.Client.CoreV1().Pods("jobs").Create(ctx, pod, metav1.CreateOptions{})
	require.NoError(t, err, "pods that are not Spark's are none of the webhook's business")

	require.NoError(t, op.StartWebhook(ctx))
	_, err = cp.CreateApplication(ctx, NewApplication("jobs", "admitted"))
	require.NoError(t, err)
}

func TestControllerDown(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	require.NoError(t, op.StopController(ctx))
	_, err := cp.CreateApplication(ctx, NewApplication("jobs", "waiting"))
	require.NoError(t, err)
	require.NoError(t, op.StartController(ctx))
	_, err = cp.WaitForState(ctx, "jobs", "waiting", "RUNNING")
	require.NoError(t, err)
}

// A restart of the Deployment replaces the process: it reads the certificate's Secret only at start.
func TestRolloutReplacesTheProcess(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	before, err := op.Pods(ctx, webhook)
	require.NoError(t, err)
	require.Len(t, before, 1)
	serial, err := op.ServedSerial(ctx, before[0].Name)
	require.NoError(t, err)

	secrets := cp.Client.CoreV1().Secrets(op.Namespace)
	require.NoError(t, secrets.Delete(ctx, "spark-operator-webhook-certs", metav1.DeleteOptions{}))
	require.NoError(t, op.Restart(ctx, webhook))

	_, err = cp.Client.CoreV1().Pods(op.Namespace).Get(ctx, before[0].Name, metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), "got %v", err)
	after, err := op.Pods(ctx, webhook)
	require.NoError(t, err)
	require.Len(t, after, 1)
	renewed, err := op.ServedSerial(ctx, after[0].Name)
	require.NoError(t, err)
	require.NotEqual(t, serial, renewed)
}
