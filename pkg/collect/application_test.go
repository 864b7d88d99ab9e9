package collect

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// sparkPod is a pod of an application, whose container ended with an exit code; a negative one has not been scheduled.
func sparkPod(app, name, role string, exitCode int32) *corev1.Pod {
	p := pod(name, "team-a")
	p.Labels = map[string]string{
		snapshot.LaunchedByLabel: "true", snapshot.RoleLabel: role, snapshot.AppNameLabel: app, snapshot.AppSelectorLabel: "spark-" + app,
	}
	container := "spark-kubernetes-" + role
	p.Spec.Containers = []corev1.Container{{Name: container, Env: []corev1.EnvVar{{Name: "DB", Value: "hunter2"}}}}
	if exitCode < 0 {
		p.Status.Phase = corev1.PodPending
		return p
	}
	p.Spec.NodeName = "node-1"
	if exitCode > 0 {
		p.Status.Phase = corev1.PodFailed
	}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: container, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: exitCode}},
	}}
	return p
}

func node(name, memory string) *corev1.Node {
	n := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceMemory: quantity.MustParse(memory)}
	n.Status.Images = []corev1.ContainerImage{{Names: []string{"large"}}}
	return n
}

// failedApplication is one application that failed, among many others.
func failedApplication() []runtime.Object {
	app := application("etl", "team-a")
	app.Object["spec"] = map[string]any{"sparkConf": map[string]any{
		"spark.hadoop.fs.s3a.secret.key": "hunter2", "spark.executorEnv.TOKEN": "hunter2", "spark.sql.shuffle.partitions": "200",
	}, "driver": map[string]any{"envVars": map[string]any{"A": "hunter2"}}}
	app.Object["status"] = map[string]any{"applicationState": map[string]any{"state": "FAILED"}}
	app.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": `{"x":"hunter2"}`})
	config := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: objectMeta("conf", "team-a"),
		Data: map[string]string{"a": "hunter2"}}
	quota := &corev1.ResourceQuota{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ResourceQuota"}, ObjectMeta: objectMeta("q", "team-a")}
	policy := &networkingv1.NetworkPolicy{TypeMeta: metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"},
		ObjectMeta: objectMeta("deny", "team-a")}
	out := append(fleet(300), app, config, quota, policy, sparkPod("etl", "etl-driver", "driver", 1),
		node("node-1", "8Gi"), node("node-2", "16Gi"))
	for i := range 30 {
		code := int32(0)
		if i < 12 {
			code = 137
		}
		out = append(out, sparkPod("etl", fmt.Sprintf("etl-exec-%02d", i), "executor", code))
	}
	for i := range 40 {
		out = append(out, sparkPod("other", fmt.Sprintf("other-exec-%02d", i), "executor", 137))
	}
	about := event("about-driver", "Normal", "Killing")
	about.InvolvedObject = corev1.ObjectReference{Kind: "Pod", Namespace: "team-a", Name: "etl-driver"}
	return append(out, about)
}

func readApplication(t *testing.T, s *apiServer, kind, name string) *snapshot.Snapshot {
	t.Helper()
	conn, err := apiserver.Connect(s.config())
	require.NoError(t, err)
	got, _, err := Application(t.Context(), conn, ApplicationOptions{
		ClusterOptions: ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.SparkPods), Now: func() time.Time { return later }},
		Kind:           kind, Namespace: "team-a", Name: name,
	})
	require.NoError(t, err)
	return got
}

// logs answers requests for logs, and hands on all others.
func logs(fn func(w http.ResponseWriter, r *http.Request)) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/log") {
			return false
		}
		fn(w, r)
		return true
	}
}

func namesOf(list []snapshot.Whole) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Name)
	}
	return out
}

func TestApplicationIsReadInBounds(t *testing.T) {
	s := newServer(t, failedApplication()...)
	s.fault = logs(func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintln(w, "log of", r.URL.Path) })
	got := readApplication(t, s, "", "etl")

	require.Equal(t, []string{"etl"}, namesOf(got.InFull(snapshot.WholeApplications)))
	require.Len(t, got.InFull(snapshot.WholePods), 31, "none of another application")
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.WholePods).State)
	require.Equal(t, []string{"node-1"}, namesOf(got.InFull(snapshot.WholeNodes)), "no pod waits for another")
	require.Equal(t, []string{"conf"}, namesOf(got.InFull(snapshot.WholeConfigMaps)))
	require.Equal(t, []string{"deny"}, namesOf(got.InFull(snapshot.WholeNetworkPolicies)))
	require.Contains(t, namesOf(got.InFull(snapshot.WholeEvents)), "about-driver")
	require.Len(t, got.ApplicationLogs(), 1+failedExecutors)
	require.Contains(t, fmt.Sprint(got.Coverage(snapshot.ApplicationLogs).Unseen), "of 12 executors that failed the logs of 10 are read")
	text := ""
	for _, src := range snapshot.WholeSources() {
		for _, w := range got.InFull(src.View) {
			text += fmt.Sprint(w.Fields)
		}
	}
	require.NotContains(t, text, "hunter2")
	require.NotContains(t, text, "large", "images of a node")
	require.Contains(t, text, "spark.sql.shuffle.partitions:200")
	require.Contains(t, text, "spark.hadoop.fs.s3a.secret.key:"+snapshot.Redacted)

	require.Len(t, got.SparkApplications(), 1, "the checks see this one")
	require.Len(t, got.SparkPods(), 31)
	require.False(t, got.Covers(snapshot.SparkPods, "team-a"), "and conclude nothing from what else is missing")
	require.Zero(t, s.asked("/api/v1/pods"), "nothing is listed across namespaces")
	require.Less(t, len(s.requests), 50)
}

func TestApplicationThatWaitsIsComparedWithItsNodes(t *testing.T) {
	own := sparkPod("etl", "etl-driver", "driver", -1)
	other := sparkPod("other", "neighbor", "driver", 0)
	other.Namespace, other.Spec.NodeName = "team-b", "node-2"
	s := newServer(t, application("etl", "team-a"), own, other, node("node-1", "8Gi"), node("node-2", "16Gi"))
	got := readApplication(t, s, "SparkApplication", "etl")
	require.Equal(t, []string{"node-1", "node-2"}, namesOf(got.InFull(snapshot.WholeNodes)))
	require.Equal(t, []string{"neighbor"}, namesOf(got.InFull(snapshot.WholeNeighbors)))
	require.True(t, got.Covers(snapshot.WholeNeighbors, "node-2"), "all pods of the node were read")
	require.Empty(t, got.InFull(snapshot.WholeNeighbors)[0].Fields["status"].(map[string]any)["containerStatuses"])

	s.fault = forbid("/api/v1/pods")
	got = readApplication(t, s, "SparkApplication", "etl")
	require.False(t, got.Covers(snapshot.WholeNeighbors, "node-1"))
	require.Contains(t, fmt.Sprint(got.Coverage(snapshot.WholeNeighbors).Unseen), "forbidden")
	require.Equal(t, 3, s.asked("/api/v1/pods"), "twice before, and not for the second node again")
}

// TestQuotaThatIsUsed: who holds a quota is read where it may be in the way, and nowhere else.
func TestQuotaThatIsUsed(t *testing.T) {
	quota := func(used string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ResourceQuota"}, ObjectMeta: objectMeta("q", "team-a")}
		q.Status.Hard = corev1.ResourceList{"requests.memory": quantity.MustParse("64Gi")}
		q.Status.Used = corev1.ResourceList{"requests.memory": quantity.MustParse(used)}
		return q
	}
	list := func(q *corev1.ResourceQuota) (*apiServer, *snapshot.Snapshot) {
		s := newServer(t, application("etl", "team-a"), sparkPod("etl", "etl-driver", "driver", 0), sparkPod("big", "big-exec-1", "executor", 0),
			q)
		return s, readApplication(t, s, "SparkApplication", "etl")
	}
	s, got := list(quota("61Gi"))
	require.Equal(t, []string{"big-exec-1"}, namesOf(got.InFull(snapshot.WholeNeighbors)))
	require.Equal(t, map[string]any{snapshot.AppNameLabel: "big"},
		got.InFull(snapshot.WholeNeighbors)[0].Fields["metadata"].(map[string]any)["labels"])
	require.Zero(t, s.asked("/api/v1/pods"))
	_, got = list(quota("31Gi"))
	require.Empty(t, got.InFull(snapshot.WholeNeighbors))
}

func TestSubjects(t *testing.T) {
	schedule := object("sparkoperator.k8s.io/v1beta2", "ScheduledSparkApplication", "nightly", "team-a")
	schedule.Object["status"] = map[string]any{"lastRunName": "nightly-2", "pastFailedRunNames": []any{"nightly-1", "gone"}}
	standalone := sparkPod("", "emr-driver", "driver", 1)
	delete(standalone.Labels, snapshot.AppNameLabel)
	standalone.Labels[snapshot.AppSelectorLabel] = "spark-1"
	executor := sparkPod("", "emr-exec-1", "executor", 0)
	delete(executor.Labels, snapshot.AppNameLabel)
	executor.Labels[snapshot.AppSelectorLabel] = "spark-1"
	s := newServer(t, schedule, application("nightly-1", "team-a"), application("nightly-2", "team-a"), standalone, executor,
		sparkPod("nightly-2", "nightly-2-driver", "driver", 1), sparkPod("lost", "lost-driver", "driver", 1))

	got := readApplication(t, s, "", "nightly")
	require.Equal(t, []string{"nightly-1", "nightly-2"}, namesOf(got.InFull(snapshot.WholeApplications)))
	require.Equal(t, []string{"nightly-2-driver"}, namesOf(got.InFull(snapshot.WholePods)))
	require.Equal(t, []string{"emr-driver", "emr-exec-1"}, namesOf(readApplication(t, s, "Pod", "emr-exec-1").InFull(snapshot.WholePods)))
	require.Equal(t, []string{"lost-driver"}, namesOf(readApplication(t, s, "", "lost").InFull(snapshot.WholePods)),
		"what a deleted application left")
	got = readApplication(t, s, "Pod", "nightly-2-driver")
	require.Equal(t, []string{"nightly-2"}, namesOf(got.InFull(snapshot.WholeApplications)))
}

// TestSubjectsByALabel: what another than our operator started is found by its name in a label, the newest run of it.
func TestSubjectsByALabel(t *testing.T) {
	for _, label := range snapshot.AppNameLabels("") {
		var objects []runtime.Object
		for i, run := range []string{"old", "new"} {
			for _, role := range []string{"driver", "executor"} {
				p := sparkPod("", run+"-"+role, role, 0)
				delete(p.Labels, snapshot.AppNameLabel)
				p.Labels[snapshot.AppSelectorLabel], p.Labels[label] = "spark-"+run, "etl"
				p.CreationTimestamp = metav1.NewTime(later.Add(time.Duration(i) * time.Minute))
				objects = append(objects, p)
			}
		}
		s := newServer(t, objects...)
		require.Equal(t, []string{"new-driver", "new-executor"}, namesOf(readApplication(t, s, "", "etl").InFull(snapshot.WholePods)), label)
		typed := readApplication(t, s, "SparkApplication", "etl").InFull(snapshot.WholePods)
		require.Equal(t, slices.Contains(snapshot.AppNameLabels("SparkApplication"), label), len(typed) > 0, "a label of another is no object")
		require.Empty(t, readApplication(t, s, "SparkConnect", "etl").InFull(snapshot.WholePods))
	}
}

// TestConnectIsRead with its pods, and with the operator's log only where nothing else can tell why a part of it is missing.
func TestConnectIsRead(t *testing.T) {
	connect := object("sparkoperator.k8s.io/v1alpha1", "SparkConnect", "hub", "team-a")
	server, executor := sparkPod("", "hub-server", "connect-server", 0), sparkPod("", "hub-exec-1", "executor", 0)
	for _, p := range []*corev1.Pod{server, executor} {
		delete(p.Labels, snapshot.AppNameLabel)
		p.Labels[snapshot.ConnectNameLabel] = "hub"
	}
	read := func(objects ...runtime.Object) *snapshot.Snapshot {
		conn, err := apiserver.Connect(newServer(t, objects...).config())
		require.NoError(t, err)
		got, _, err := Application(t.Context(), conn, ApplicationOptions{
			ClusterOptions: ClusterOptions{Needs: need(snapshot.SparkConnects, snapshot.Deployments, snapshot.OperatorPods, snapshot.OperatorLogs),
				Now: func() time.Time { return later }}, Namespace: "team-a", Name: "hub",
		})
		require.NoError(t, err)
		return got
	}
	connect.Object["status"] = map[string]any{"state": "NotReady"}
	got := read(connect, server, executor)
	require.Equal(t, []string{"hub"}, namesOf(got.InFull(snapshot.WholeConnects)))
	require.Equal(t, []string{"hub-exec-1", "hub-server"}, namesOf(got.InFull(snapshot.WholePods)))
	require.Equal(t, snapshot.NotAsked, got.Coverage(snapshot.OperatorLogs).State)
	require.NotEqual(t, snapshot.NotAsked, read(connect).Coverage(snapshot.OperatorLogs).State, "no server pod")
	delete(connect.Object, "status")
	require.NotEqual(t, snapshot.NotAsked, read(connect, server).Coverage(snapshot.OperatorLogs).State, "no state")
}

// TestApplicationWithoutPermission: each refusal is told, and stops nothing else.
func TestApplicationWithoutPermission(t *testing.T) {
	s := newServer(t, failedApplication()...)
	refused := map[string]string{
		"/api/v1/namespaces/team-a/events": "list events", "/api/v1/nodes/node-1": "get nodes",
		"/api/v1/namespaces/team-a/resourcequotas":                     "list resourcequotas",
		"/apis/networking.k8s.io/v1/namespaces/team-a/networkpolicies": "list networkpolicies.networking.k8s.io",
		"/api/v1/namespaces/team-a/pods/etl-driver/log":                "get pods/log",
		"/api/v1/namespaces/team-a/pods/etl-exec-00/log":               "get pods/log",
		"/apis/kueue.x-k8s.io/v1beta1/namespaces/team-a/workloads":     "list workloads.kueue.x-k8s.io",
	}
	for path, want := range refused {
		s.fault = forbid(path)
		got := readApplication(t, s, "", "etl")
		var unseen []string
		for _, src := range append(snapshot.WholeSources(), snapshot.Source{View: snapshot.ApplicationLogs}) {
			for _, u := range got.Coverage(src.View).Unseen {
				if strings.Contains(u.Reason, "forbidden") {
					unseen = append(unseen, u.Verb+" "+u.Resource)
				}
			}
		}
		require.Equal(t, []string{want}, unseen, path)
		require.Len(t, got.InFull(snapshot.WholePods), 31)
	}
}
