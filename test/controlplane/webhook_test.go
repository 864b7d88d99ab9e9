package controlplane

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
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

func TestWebhookDownAndIgnore(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	ctx := t.Context()
	op, err := cp.InstallOperator(ctx, OperatorOptions{Version: "2.5.1", JobNamespaces: []string{"jobs"}, Values: map[string]any{
		"webhook": map[string]any{"failurePolicy": "Ignore"},
	}})
	require.NoError(t, err)
	require.NoError(t, op.StopWebhook(ctx))
	_, err = cp.CreateApplication(ctx, NewApplication("jobs", "unmutated"))
	require.NoError(t, err)
	driver, err := cp.WaitForPod(ctx, "jobs", "unmutated-driver")
	require.NoError(t, err)
	require.Empty(t, env(driver, "FROM_WEBHOOK"), "the pod runs without what only the webhook adds")
}

// A Secret deleted under running replicas, and one replica replaced: two certificates behind one Service.
func TestReplicasDiverge(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	ctx := t.Context()
	op, err := cp.InstallOperator(ctx, OperatorOptions{Version: "2.5.1", JobNamespaces: []string{"jobs"}, Values: map[string]any{
		"webhook": map[string]any{"replicas": 2},
	}})
	require.NoError(t, err)
	require.Len(t, serials(t, op), 1, "both replicas serve the certificate of the Secret")

	require.NoError(t, cp.Client.CoreV1().Secrets(op.Namespace).Delete(ctx, "spark-operator-webhook-certs", metav1.DeleteOptions{}))
	replicas, err := op.Pods(ctx, webhook)
	require.NoError(t, err)
	require.NoError(t, cp.Client.CoreV1().Pods(op.Namespace).Delete(ctx, replicas[0].Name, metav1.DeleteOptions{}))
	require.NoError(t, cp.WaitForGone(ctx, pods(), op.Namespace, replicas[0].Name))
	require.NoError(t, op.waitForDeployments(ctx))
	require.Len(t, serials(t, op), 2)
}

// serials returns the serial numbers that the webhook's replicas serve.
func serials(t *testing.T, op *Operator) map[string]bool {
	t.Helper()
	replicas, err := op.Pods(t.Context(), webhook)
	require.NoError(t, err)
	require.Len(t, replicas, 2)
	found := map[string]bool{}
	for _, pod := range replicas {
		serial, err := op.ServedSerial(t.Context(), pod.Name)
		require.NoError(t, err)
		found[serial] = true
	}
	return found
}

func TestNoReplicaNoEndpoint(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	require.NoError(t, op.Scale(ctx, webhook, 0))
	// The API server goes by its own copy of the endpoints, which follows a moment later.
	require.NoError(t, Until(ctx, minute, "the API server to see no endpoints", func(ctx context.Context) (bool, error) {
		_, err := cp.Dynamic.Resource(Applications()).Namespace("jobs").Create(ctx, NewApplication("jobs", "refused"),
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "no endpoints available for service"), err
	}))
}

func TestPortOfTheChart(t *testing.T) {
	cp := start(t, Options{CRDs: "2.5.1"})
	free, err := cp.ports.free(1)
	require.NoError(t, err)
	op, err := cp.InstallOperator(t.Context(), OperatorOptions{Version: "2.5.1",
		Values: map[string]any{"webhook": map[string]any{"port": free[0]}}})
	require.NoError(t, err)
	require.Equal(t, free[0], op.WebhookPort())
}

// The controller acts as its service account, so it can do only what the chart lets it do.
func TestChartRBACIsInForce(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	require.NoError(t, cp.Client.RbacV1().RoleBindings("jobs").DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: op.selector(controller)}))
	require.NoError(t, Until(ctx, minute, "the loss of the right to create pods", func(ctx context.Context) (bool, error) {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User:               "system:serviceaccount:" + op.Namespace + ":spark-operator-controller",
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: "jobs", Verb: "create", Resource: "pods"},
		}}
		got, err := cp.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		return err == nil && !got.Status.Allowed, err
	}))
	_, err := cp.CreateApplication(ctx, NewApplication("jobs", "forbidden"))
	require.NoError(t, err)
	require.NoError(t, Until(ctx, minute, "the controller to be refused", func(context.Context) (bool, error) {
		return strings.Contains(op.Logs(), "forbidden"), nil
	}))
}
