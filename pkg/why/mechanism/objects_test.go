package mechanism_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// at is when all of it is asked.
func at() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// given reads documents; the application is etl in namespace jobs.
func given(t *testing.T, documents ...string) *app.Evidence {
	t.Helper()
	var list []unstructured.Unstructured
	for _, text := range strings.Split(strings.Join(documents, "\n---\n"), "\n---\n") {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
		list = append(list, o)
	}
	return app.FromObjects(list, nil, snapshot.Ref{Kind: "SparkApplication", Namespace: "jobs", Name: "etl"}, at())
}

func application(spec, status string) string {
	return `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: jobs, uid: app, creationTimestamp: "2026-11-23T11:00:00Z", generation: 1}
spec: {type: Python, driver: {cores: 1, memory: 2g}, executor: {cores: 2, instances: 4, memory: 4g}, ` + spec + `}
status: {lastSubmissionAttemptTime: "2026-11-23T11:00:01Z", driverInfo: {podName: etl-driver}, ` + status + `}`
}

func pod(name, role, spec, status string) string {
	return `
apiVersion: v1
kind: Pod
metadata: {name: ` + name + `, namespace: jobs, uid: ` + name + `, creationTimestamp: "2026-11-23T11:00:02Z",
  labels: {spark-role: ` + role + `, sparkoperator.k8s.io/app-name: etl, spark-app-selector: s}}
spec: {` + spec + `}
status: {` + status + `}`
}

const running = `phase: Running, containerStatuses: [{name: spark-kubernetes-driver, ready: true, state: {running: {startedAt: "2026-11-23T11:00:10Z"}}}]`

func node(name, rest string) string {
	return "\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {pool: general}}\n" + rest
}

const ready = `status: {allocatable: {cpu: "8", memory: 32Gi}, conditions: [{type: Ready, status: "True"}]}`

// standing are the causes that can be a verdict.
func standing(e *app.Evidence) []saidCause {
	var out []saidCause
	for _, c := range said(e) {
		if !c.Effect && c.Class.Fault() && c.Class != cause.Unknown {
			out = append(out, c)
		}
	}
	return out
}

func unschedulable(message string) string {
	return `phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "` + message + `"}]`
}

// TestRoomIsComputed: numbers come from nodes that were seen, and only from them.
func TestRoomIsComputed(t *testing.T) {
	wants := func(spec string) string {
		return pod("etl-driver", "driver", `containers: [{name: spark-kubernetes-driver, resources: {requests: {cpu: "16", memory: 2Gi}}}]`+spec,
			unschedulable("0/2 nodes are available: 2 Insufficient cpu."))
	}
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	nodes := []string{node("a", ready), node("b", strings.Replace(ready, `cpu: "8"`, `cpu: "11.2"`, 1))}
	neighbor := "\napiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: elsewhere}\n" +
		`spec: {nodeName: b, containers: [{name: c, resources: {requests: {cpu: "4"}}}]}` + "\nstatus: {phase: Running}"
	for _, c := range []struct {
		name string
		docs []string
		says string
		not  string
	}{
		{"allocatable only", []string{app, wants(""), nodes[0], nodes[1]},
			"it asks for 16 CPU, and the most that a node has allocatable is 11.2 on b", "free amount"},
		{"free", []string{app, wants(""), nodes[0], nodes[1], neighbor}, "the most that a node has free is 8 on a", "allocatable"},
		{"a node was not seen", []string{app, wants(""), nodes[0]}, "2 Insufficient cpu", "it asks for"},
		{"labels", []string{app, wants(", nodeSelector: {pool: spark}"), nodes[0], nodes[1]},
			"it fits on none of 2 nodes: 2 of 2 lack label pool=spark", "it asks for"},
		{"taints", []string{app, wants(""), node("a", "spec: {taints: [{key: gpu, effect: NoSchedule}]}\n"+ready),
			node("b", "spec: {taints: [{key: soft, effect: PreferNoSchedule}]}\n"+ready)},
			"1 of 2 has a taint that it does not tolerate (gpu:NoSchedule)", "soft"},
		{"the largest is not for it", []string{app, wants(""), node("a", ready), node("b", "spec: {taints: [{key: gpu, effect: NoSchedule}]}\n"+
			strings.Replace(ready, `cpu: "8"`, `cpu: "64"`, 1))},
			"it asks for 16 CPU, and the 1 node that it tolerates has at most 8 allocatable (a)", "the most that a node"},
		{"the largest is cordoned", []string{app, wants(""), node("a", ready), node("b", "spec: {unschedulable: true}\n"+
			strings.Replace(ready, `cpu: "8"`, `cpu: "64"`, 1))},
			"the 1 node without a cordon has at most 8 allocatable (a)", "the most that a node"},
	} {
		e := given(t, c.docs...)
		if c.name == "free" {
			e.Counted = map[string]bool{"a": true, "b": true}
		}
		got := standing(e)
		require.Len(t, got, 1, c.name)
		require.Equal(t, cause.Scheduling, got[0].Class, c.name)
		require.Contains(t, got[0].Message, c.says, c.name)
		require.NotContains(t, got[0].Message, c.not, c.name)
	}
}

func ended(code, reason string) string {
	return `phase: Failed, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: ` + code + `, reason: ` + reason +
		`, startedAt: "2026-11-23T11:00:10Z", finishedAt: "2026-11-23T11:50:00Z"}}}]`
}

// TestDriverEnds: what the pod says of its end, and look-alikes that must not be taken for it.
func TestDriverEnds(t *testing.T) {
	limited := `containers: [{name: spark-kubernetes-driver, image: "i:1", resources: {limits: {memory: 2867Mi}}}], nodeName: a`
	for _, c := range []struct {
		name, status string
		class        cause.Class // empty: nothing stands
		says         string
	}{
		{"out of memory", ended("137", "OOMKilled"), cause.ClusterKilled,
			"limit and the kernel killed it (OOMKilled, 137): 2867Mi = 2g heap + 819Mi overhead (40 %"},
		{"137 without a reason is not out of memory", ended("137", "Error"), "", ""},
		{"exit code 1 says nothing", ended("1", "Error"), "", ""},
		{"evicted", `reason: Evicted, message: "The node was low on resource: memory.", ` + ended("137", "Error"), cause.ClusterKilled, "evicted the driver from node a"},
		{"deadline", `reason: DeadlineExceeded, ` + ended("137", "Error"), cause.ClusterKilled, "activeDeadlineSeconds"},
		{"rejected", `phase: Failed, reason: OutOfmemory, message: "Node didn't have enough resource: memory"`, cause.Scheduling, "OutOfmemory"},
		{"preempted", `conditions: [{type: DisruptionTarget, status: "True", reason: PreemptionByScheduler}], ` + ended("143", "Error"), cause.ClusterKilled, "preempted"},
		{"a disruption that did not come to pass", `conditions: [{type: DisruptionTarget, status: "False", reason: PreemptionByScheduler}], ` + ended("1", "Error"), "", ""},
		{"no entrypoint", ended("127", "Error"), cause.Image, "entrypoint"},
		{"exit code 101 of Python is its own", ended("101", "Error"), "", ""},
		{"exec format", strings.Replace(ended("128", "StartError"), "reason: StartError", `reason: StartError, message: "exec /opt/x: exec format error"`, 1), cause.Image, "architecture"},
	} {
		got := standing(given(t, application("mode: cluster", "applicationState: {state: FAILED, errorMessage: x}, terminationTime: "+
			"\"2026-11-23T11:50:01Z\""),
			pod("etl-driver", "driver", limited, c.status)))
		if c.class == "" {
			require.Empty(t, got, c.name)
			continue
		}
		require.Len(t, got, 1, c.name)
		require.Equal(t, c.class, got[0].Class, c.name)
		require.Contains(t, got[0].Message, c.says, c.name)
	}
}

// TestSubmissionsAreRead: the words of the API server within what the operator wrote.
func TestSubmissionsAreRead(t *testing.T) {
	const wrap = "failed to submit spark application: failed to run spark-submit: failed to run spark-submit: "
	forbidden := wrap + `Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Message: pods "etl-driver" is forbidden: `
	for _, c := range []struct {
		text  string
		class cause.Class
		says  string
	}{
		{forbidden + "exceeded quota: team-a, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=10", cause.Quota,
			"ResourceQuota team-a has no room for the driver: requested: requests.cpu=2"},
		{forbidden + "failed quota: team-a: must specify limits.cpu for: spark-kubernetes-driver", cause.Quota, "must specify limits.cpu"},
		{forbidden + `error looking up service account jobs/spark: serviceaccount "spark" not found`, cause.Configuration, "jobs/spark does not exist"},
		{forbidden + `User "system:serviceaccount:ops:spark-operator" cannot create resource "pods" in API group "" in the namespace "jobs".`, cause.Credentials,
			"system:serviceaccount:ops:spark-operator may not create pods in namespace jobs"},
		{forbidden + "no PriorityClass with name urgent was found", cause.Configuration, "PriorityClass urgent does not exist"},
		{wrap + `admission webhook "validate.kyverno.svc-fail" denied the request: label team is required`, cause.Submission, "validate.kyverno.svc-fail refused"},
		{wrap + "signal: killed", cause.Submission, "SIGKILL"},
		{wrap + "java.net.UnknownHostException: kubernetes.default.svc: Try again", cause.Network, "kubernetes.default.svc"},
		{wrap + `Exception in thread "main" org.apache.spark.SparkException: --deploy-mode must be either "client" or "cluster"`,
			cause.Submission, "no deploy mode, though spec.mode is cluster"},
		{`failed to configure web UI: failed to create ingress: admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: ` +
			"taken", cause.Submission, "refused the Service or Ingress of the web UI: taken"},
		{`failed to create web UI ingress: no matches for kind "Ingress" in version "extensions/v1beta1"`, cause.Submission,
			"no matches for kind"},
		{`failed to submit spark application: Exception in thread "main" java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.` +
			"S3AFileSystem not found", cause.Dependency, "lacks class org.apache.hadoop.fs.s3a.S3AFileSystem"},
		{forbidden + "[maximum memory usage per Container is 2Gi, but limit is 3Gi]", cause.Submission, "limit is 3Gi"},
		{"driver pod already exist", cause.Submission, `a pod "etl-driver" already existed`},
	} {
		got := standing(given(t, application("mode: cluster", "applicationState: {state: FAILED, errorMessage: '"+strings.ReplaceAll(c.text,
			"'", "''")+"'}")))
		require.NotEmpty(t, got, c.text)
		require.Equal(t, c.class, got[0].Class, c.text)
		require.Contains(t, got[0].Message, c.says)
	}
	require.Empty(t, standing(given(t, application("mode: cluster",
		"applicationState: {state: FAILED, errorMessage: 'driver container failed with ExitCode: 1, Reason: Error'}"))), "no submission failed")
}

func executor(n, status string) string {
	return pod("etl-0123456789abcdef-exec-"+n, "executor", `containers: [{name: spark-kubernetes-executor, resources: {limits: {memory: 5734Mi}}}]`, status)
}

// TestLossesOfExecutors: while the application has its executors, losses from outside are history; its own appetite is not.
func TestLossesOfExecutors(t *testing.T) {
	killed := `phase: Failed, containerStatuses: [{name: spark-kubernetes-executor, state: {terminated: {exitCode: 137, reason: OOMKilled, finishedAt: "2026-11-23T11:30:00Z"}}}]`
	drained := `phase: Failed, conditions: [{type: DisruptionTarget, status: "True", reason: EvictionByEvictionAPI}],
  containerStatuses: [{name: spark-kubernetes-executor, state: {terminated: {exitCode: 143, reason: Error, finishedAt: "2026-11-23T11:30:00Z"}}}]`
	alive := `phase: Running, containerStatuses: [{name: spark-kubernetes-executor, state: {running: {startedAt: "2026-11-23T11:31:00Z"}}}]`
	app, driver := application("mode: cluster", "applicationState: {state: RUNNING}"), pod("etl-driver", "driver",
		"containers: [{name: spark-kubernetes-driver}]", running)
	four := []string{app, driver, executor("11", alive), executor("12", alive), executor("13", alive), executor("14", alive)}

	require.Empty(t, standing(given(t, append(four, executor("1", killed))...)), "one is no habit")
	require.Empty(t, standing(given(t, append(four, executor("1", drained), executor("2", drained), executor("3", drained))...)))
	got := standing(given(t, append(four, executor("1", killed), executor("2", killed), executor("3", killed))...))
	require.Len(t, got, 1)
	require.Contains(t, got[0].Message, "3 executors of 7 exceeded their memory limit")
	require.Contains(t, got[0].Message, "5734Mi = 4g heap + 1638Mi overhead (40 %")

	// Executors that end with their driver follow from its end.
	over := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", strings.Replace(ended("1", "Error"), "11:50:00",
		"11:30:01", 1))
	require.Empty(t, standing(given(t, application("mode: cluster", "applicationState: {state: FAILED}"), over, executor("1", drained),
		executor("2", drained))))
}

// TestQuotaIsComputed: a limit that executors do not set, and one that has no room left.
func TestQuotaIsComputed(t *testing.T) {
	app, driver := application("mode: cluster", "applicationState: {state: RUNNING}"), pod("etl-driver", "driver",
		"containers: [{name: spark-kubernetes-driver}]", running)
	quota := func(what, hard, used string) string {
		return "\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: jobs}\nspec: {hard: {" + what + `: "` + hard + "\"}}\n" +
			"status: {hard: {" + what + `: "` + hard + `"}, used: {` + what + `: "` + used + `"}}`
	}
	defaults := "\napiVersion: v1\nkind: LimitRange\nmetadata: {name: d, namespace: jobs}\nspec: {limits: [{type: Container, default: " +
		"{cpu: \"4\"}}]}"
	one := func(docs ...string) []saidCause {
		return standing(given(t, append([]string{app, driver}, docs...)...))
	}
	require.Contains(t, one(quota("limits.cpu", "40", "4"))[0].Message, "must specify limits.cpu")
	require.Empty(t, one(quota("limits.cpu", "40", "4"), defaults))
	require.Contains(t, one(quota("requests.cpu", "40", "39"))[0].Message,
		"4 more executors (2 requests.cpu each) need 7 more than ResourceQuota team has left (39 of 40 used)")
	require.Empty(t, one(quota("requests.cpu", "40", "30")))
}

// TestRaceOfConfigMaps: the kubelet is faster than spark-submit, which creates its ConfigMap after the pod.
func TestRaceOfConfigMaps(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	waiting := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]",
		"phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ContainerCreating}}}]")
	event := func(name, count string) string {
		return "\napiVersion: v1\nkind: Event\nmetadata: {name: e" + name + ", namespace: jobs}\ntype: Warning\nreason: FailedMount\ncount: " +
			"" + count +
			"\ninvolvedObject: {kind: Pod, namespace: jobs, name: etl-driver, uid: etl-driver}\nlastTimestamp: \"2026-11-23T11:59:00Z\"\n" +
			`message: 'MountVolume.SetUp failed for volume "v" : configmap "` + name + `" not found'`
	}
	require.Empty(t, standing(given(t, app, waiting, event("spark-drv-1-conf-map", "1"))))
	got := standing(given(t, app, waiting, event("spark-drv-1-conf-map", "1"), event("rules", "30")))
	require.Len(t, got, 1)
	require.Contains(t, got[0].Message, `ConfigMap "rules" does not exist`)
}
