package collect

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// replicas are a webhook Deployment, two ready pods of it, one that is not ready, and one of somebody else's.
func replicas() []runtime.Object {
	labels := map[string]string{"app": "webhook"}
	d := &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: objectMeta("spark-operator-webhook", "spark-operator")}
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	d.Spec.Template.Spec.Containers = []corev1.Container{{
		Name: "spark-operator", Image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1",
		Args:  []string{"webhook", "start", "--webhook-svc-name=webhook-svc"},
		Ports: []corev1.ContainerPort{{Name: "webhook", ContainerPort: 9443}},
	}}
	out := []runtime.Object{d}
	for _, name := range []string{"webhook-1", "webhook-2", "webhook-starting", "other"} {
		p := pod(name, "spark-operator")
		p.Labels = labels
		p.Status.Phase = corev1.PodRunning
		if name != "webhook-starting" {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		if name == "other" {
			p.Labels = map[string]string{"app": "other"}
		}
		out = append(out, p)
	}
	return out
}

func TestProbeAsksReadyReplicasOnly(t *testing.T) {
	s := newServer(t, replicas()...)
	var forwards atomic.Int32
	s.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/portforward") {
			return false
		}
		forwards.Add(1)
		if strings.Contains(r.URL.Path, "webhook-2") {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		fail(w, apierrors.NewForbidden(schema.GroupResource{Resource: "pods/portforward"}, "webhook-1", nil))
		return true
	}
	needs := need(snapshot.Deployments, snapshot.OperatorPods, snapshot.ServedCertificates)
	got := scan(t, s, ClusterOptions{Needs: needs})
	require.Zero(t, forwards.Load())
	require.Equal(t, snapshot.NotAsked, got.Coverage(snapshot.ServedCertificates).State, "nobody wanted it")
	scan(t, s, ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorPods), Probe: true})
	require.Zero(t, forwards.Load(), "no check needs it")

	got = scan(t, s, ClusterOptions{Needs: needs, Probe: true})
	cover := got.Coverage(snapshot.ServedCertificates)
	require.Equal(t, snapshot.Unseeable, cover.State)
	require.Len(t, cover.Unseen, 2)
	require.Equal(t, snapshot.Unseen{Verb: "create", Resource: "pods/portforward", Namespace: "spark-operator", Name: "webhook-1",
		Reason: "forbidden"}, cover.Unseen[0])
	require.Equal(t, "webhook-2", cover.Unseen[1].Name)
	require.NotEqual(t, "forbidden", cover.Unseen[1].Reason)
	records := got.ServedCertificates()
	require.Len(t, records, 2)
	require.Equal(t, "webhook-svc.spark-operator.svc", records[0].ServerName)
	require.Equal(t, "forbidden", records[0].Problem)
}

func TestProbeOfNoReplica(t *testing.T) {
	got := scan(t, newServer(t), ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorPods, snapshot.ServedCertificates),
		Probe: true})
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.ServedCertificates).State)
	require.Empty(t, got.ServedCertificates())
}
