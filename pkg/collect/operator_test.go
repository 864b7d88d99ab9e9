package collect

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// installed is a controller and a webhook with the labels of the chart, a pod of each and one of another release, and the
// controller's lease.
func installed() []runtime.Object {
	labels := func(instance, component string) map[string]string {
		return map[string]string{"app.kubernetes.io/name": "spark-operator", "app.kubernetes.io/instance": instance,
			"app.kubernetes.io/component": component}
	}
	var out []runtime.Object
	for _, component := range []string{"controller", "webhook"} {
		d := &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
			ObjectMeta: objectMeta("spark-operator-"+component, "spark-operator")}
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels("spark-operator", component)}
		d.Spec.Template.Spec.Containers = []corev1.Container{{
			Name: "spark-operator-" + component, Image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1",
			Args: []string{component, "start", "--webhook-svc-name=svc", "--leader-election=true",
				"--leader-election-lock-name=" + component + "-lock", "--leader-election-lock-namespace=spark-operator"},
		}}
		p := pod(component+"-1", "spark-operator")
		p.Labels = labels("spark-operator", component)
		p.Status = corev1.PodStatus{
			Phase: corev1.PodRunning,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "spark-operator-" + component, RestartCount: 4,
				State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", ExitCode: 137,
					FinishedAt: metav1.NewTime(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))}},
			}},
		}
		out = append(out, d, p)
	}
	other := pod("other-1", "spark-operator")
	other.Labels = labels("other", "controller")
	renewed := metav1.NewMicroTime(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	return append(out, other, &coordinationv1.Lease{
		TypeMeta:   metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
		ObjectMeta: objectMeta("controller-lock", "spark-operator"),
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("controller-1_x"), LeaseDurationSeconds: new(int32(15)), RenewTime: &renewed},
	})
}

// TestOperatorIsReadInFewRequests holds that the pods of controller and webhook take one request, and each lease one.
func TestOperatorIsReadInFewRequests(t *testing.T) {
	s := newServer(t, installed()...)
	got := scan(t, s, ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorPods, snapshot.Leases)})
	require.Equal(t, 1, s.asked("/api/v1/namespaces/spark-operator/pods"))
	var names []string
	for _, p := range got.OperatorPods() {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"controller-1", "webhook-1"}, names)
	require.Equal(t, []snapshot.ContainerIll{{
		Name: "spark-operator-controller", Restarts: 4, Waiting: "CrashLoopBackOff", Ended: "OOMKilled", ExitCode: 137,
		EndedAt: time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC),
	}}, got.OperatorPods()[0].Ills)

	require.Equal(t, 1, s.asked("/apis/coordination.k8s.io/v1/namespaces/spark-operator/leases/controller-lock"))
	require.Equal(t, 1, s.asked("/apis/coordination.k8s.io/v1/namespaces/spark-operator/leases/webhook-lock"))
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.Leases).State, "one that does not exist is absent")
	require.Len(t, got.Leases(), 1)
	lease := got.Leases()[0]
	require.Equal(t, []any{"controller-1_x", 15 * time.Second, time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)},
		[]any{lease.Holder, lease.Duration, lease.Renewed})
}
