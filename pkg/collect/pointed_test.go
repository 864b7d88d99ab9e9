package collect

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// with sets a part of an object.
func with(u *unstructured.Unstructured, part string, fields map[string]any) *unstructured.Unstructured {
	u.Object[part] = fields
	return u
}

// queuedApplication is an application that a Workflow made, in queues of Kueue and Volcano, beside those of others.
func queuedApplication() []runtime.Object {
	const kueue, volcano, argo = "kueue.x-k8s.io/v1beta1", "scheduling.volcano.sh/v1beta1", "argoproj.io/v1alpha1"
	app := application("etl", "team-a", owner(argo, "Workflow", "nightly"))
	app.SetLabels(map[string]string{"kueue.x-k8s.io/queue-name": "own"})
	return []runtime.Object{
		app, object(argo, "Workflow", "nightly", "team-a"), object(argo, "Workflow", "other", "team-a"),
		with(object(kueue, "LocalQueue", "own", "team-a"), "spec", map[string]any{"clusterQueue": "shared"}),
		with(object(kueue, "LocalQueue", "other", "team-a"), "spec", map[string]any{"clusterQueue": "other"}),
		object(kueue, "ClusterQueue", "shared", ""), object(kueue, "ClusterQueue", "other", ""),
		with(object(volcano, "PodGroup", "spark-etl-pg", "team-a"), "spec", map[string]any{"queue": "batch"}),
		with(object(volcano, "PodGroup", "spark-other-pg", "team-a"), "spec", map[string]any{"queue": "other"}),
		object(volcano, "Queue", "batch", ""), object(volcano, "Queue", "other", ""),
	}
}

func newQueueServer(t *testing.T, objects ...runtime.Object) *apiServer {
	t.Helper()
	s := newServer(t, objects...)
	for i := range s.kinds {
		if s.kinds[i].Version == "" { // any that is served
			s.kinds[i].Version = "v1beta1"
		}
	}
	return s
}

// TestWhatAnApplicationNames: its own queues and its Workflow are read by name, and nothing is said of those of others.
func TestWhatAnApplicationNames(t *testing.T) {
	s := newQueueServer(t, queuedApplication()...)
	got := readApplication(t, s, "SparkApplication", "etl")
	for view, want := range map[snapshot.View]string{
		snapshot.WholeWorkflows: "nightly", snapshot.WholeLocalQueues: "own", snapshot.WholeClusterQueues: "shared",
		snapshot.WholeVolcanoQueues: "batch",
	} {
		require.Equal(t, []string{want}, namesOf(got.InFull(view)), view)
		require.Equal(t, snapshot.Coverage{State: snapshot.Partial}, got.Coverage(view), view)
	}
	for _, request := range s.requests {
		for _, kind := range []string{"/workflows", "/localqueues", "/clusterqueues", "/queues"} {
			require.False(t, strings.HasSuffix(strings.TrimSpace(request), kind), request)
		}
	}
}

// TestWhatAnApplicationNamesIsRefused: a refusal is a gap, and what is not served or not named is not asked for.
func TestWhatAnApplicationNamesIsRefused(t *testing.T) {
	s := newQueueServer(t, queuedApplication()...)
	s.fault = forbid("/apis/kueue.x-k8s.io/v1beta1/clusterqueues/shared")
	got := readApplication(t, s, "SparkApplication", "etl")
	require.Empty(t, got.InFull(snapshot.WholeClusterQueues))
	require.Equal(t, []snapshot.Unseen{{Verb: "get", Resource: "clusterqueues.kueue.x-k8s.io", Name: "shared", Reason: "forbidden",
		Obstacle: snapshot.Refused}},
		got.Coverage(snapshot.WholeClusterQueues).Unseen)
	require.Equal(t, []string{"batch"}, namesOf(got.InFull(snapshot.WholeVolcanoQueues)))

	s = newQueueServer(t, queuedApplication()...)
	s.without("kueue.x-k8s.io", "scheduling.volcano.sh", "argoproj.io")
	got = readApplication(t, s, "SparkApplication", "etl")
	for _, view := range []snapshot.View{snapshot.WholeWorkflows, snapshot.WholeLocalQueues, snapshot.WholeVolcanoQueues} {
		require.Empty(t, got.Coverage(view).Unseen, view)
	}

	s = newQueueServer(t, append(queuedApplication(), application("plain", "team-a"))...)
	got = readApplication(t, s, "SparkApplication", "plain")
	for _, view := range []snapshot.View{snapshot.WholeWorkflows, snapshot.WholeLocalQueues, snapshot.WholeClusterQueues,
		snapshot.WholeVolcanoQueues} {
		require.Equal(t, snapshot.NotAsked, got.Coverage(view).State, view)
	}
}

// TestCertificatesThatWereNotTrusted: that of the operator's webhook is read where a log says that a client did not trust it.
func TestCertificatesThatWereNotTrusted(t *testing.T) {
	const manager, in = "cert-manager.io/v1", "spark-operator"
	config := &admissionv1.MutatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"},
		ObjectMeta: objectMeta("spark-operator-webhook", ""),
		Webhooks:   []admissionv1.MutatingWebhook{{Name: "mutate--v1-pod.sparkoperator.k8s.io"}},
	}
	config.Annotations = map[string]string{"cert-manager.io/inject-ca-from": "spark-operator/webhook"}
	issuing := map[string]any{"revision": int64(1), "conditions": []any{map[string]any{"type": "Issuing", "status": "True"}}}
	read := func(line string) *snapshot.Snapshot {
		s := newQueueServer(t, append(replicas(), application("etl", "team-a"), config,
			with(object(manager, "Certificate", "webhook", in), "status", issuing), object(manager, "Certificate", "other", in),
			object(manager, "CertificateRequest", "webhook-1", in), object(manager, "CertificateRequest", "webhook-2", in))...)
		s.fault = logs(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(at(2, line))) })
		conn, err := apiserver.Connect(s.config())
		require.NoError(t, err)
		got, _, err := Application(t.Context(), conn, ApplicationOptions{Kind: "SparkApplication", Namespace: "team-a", Name: "etl",
			ClusterOptions: ClusterOptions{Needs: append(need(snapshot.OperatorLogs, snapshot.MutatingWebhooks), snapshot.Need{
				View: snapshot.Deployments, Scope: snapshot.Everywhere}), Logs: true, Now: func() time.Time { return later }}})
		require.NoError(t, err)
		return got
	}
	got := read(refusedLine)
	require.Equal(t, []string{"webhook"}, namesOf(got.InFull(snapshot.WholeCertificates)))
	require.Equal(t, []string{"webhook-2"}, namesOf(got.InFull(snapshot.WholeCertRequests)))
	require.Equal(t, snapshot.NotAsked, read(plainLine).Coverage(snapshot.WholeCertificates).State)
}
