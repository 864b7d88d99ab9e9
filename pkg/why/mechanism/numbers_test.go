package mechanism_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// TestRefusedExecutors: the arithmetic of the API server for executors that do not exist.
func TestRefusedExecutors(t *testing.T) {
	const alive = `phase: Running, containerStatuses: [{name: spark-kubernetes-executor, state: {running: {startedAt: "2026-11-23T11:31:00Z"}}}]`
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running)
	with := func(spec string) string { return application(spec, "applicationState: {state: RUNNING}") }
	quota := "\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team-a, namespace: jobs}\n" +
		`status: {hard: {requests.memory: 64Gi}, used: {requests.memory: 61Gi}}`
	big := "\napiVersion: v1\nkind: Pod\nmetadata: {name: big-exec-1, namespace: jobs, labels: {sparkoperator.k8s.io/app-name: big}}\n" +
		`spec: {containers: [{name: c, resources: {requests: {memory: 40Gi}}}]}` + "\nstatus: {phase: Running}"
	done := strings.NewReplacer("big", "done", "Running", "Succeeded", "40Gi", "60Gi").Replace(big)
	rangeOf := func(limits string) string {
		return "\napiVersion: v1\nkind: LimitRange\nmetadata: {name: r, namespace: jobs}\nspec: {limits: [" + limits + "]}"
	}
	for _, c := range []struct {
		name  string
		docs  []string
		class cause.Class // empty: nothing is said
		says  string
	}{
		{"a part is missing", []string{with(""), driver, executor("1", alive), executor("2", alive), quota, big, done}, cause.SlowButProgressing,
			"2 of 4 executors run and the job goes on without the rest: 2 more executors (5.6 GiB requests.memory each) need " +
				"8.2 GiB more than ResourceQuota team-a has left (61 GiB of 64 GiB used); application big holds 40 GiB"},
		{"all are there", []string{with(""), driver, executor("1", alive), executor("2", alive), executor("3", alive), executor("4", alive),
			quota}, "", ""},
		{"a request above the limit", []string{with("sparkConf: {spark.kubernetes.executor.limit.cores: '1'}"), driver}, cause.Configuration,
			"each executor asks for 2 CPU and executor.coreLimit is 1"},
		{"a default limit below the request", []string{with(""), driver, rangeOf(`{type: Container, default: {cpu: "1"}}`)}, cause.Configuration,
			"the default limit of LimitRange r is 1"},
		{"larger than allowed", []string{with(""), driver, rangeOf("{type: Container, max: {memory: 4Gi}}")}, cause.Quota,
			"LimitRange r allows a container at most 4 GiB memory, and an executor has a limit of 5.6 GiB"},
		{"as large as allowed", []string{with(""), driver, rangeOf("{type: Container, max: {memory: 6Gi}, default: {cpu: '2'}}")}, "", ""},
		{"a bound on claims", []string{with(""), driver, rangeOf("{type: PersistentVolumeClaim, max: {storage: 1Gi}}")}, "", ""},
	} {
		var got []saidCause
		for _, one := range said(given(t, c.docs...)) {
			if one.Trust == cause.ByEnvironment {
				got = append(got, one)
			}
		}
		if c.class == "" {
			require.Empty(t, got, c.name)
			continue
		}
		require.Len(t, got, 1, c.name)
		require.Equal(t, c.class, got[0].Class, c.name)
		require.Contains(t, got[0].Message, c.says, c.name)
		require.Equal(t, check.Likely, got[0].Certainty)
	}
}

// TestRoomOfManyNodes: no node has all that is asked for, though each has a part; and what was not looked at is said.
func TestRoomOfManyNodes(t *testing.T) {
	const says = "0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory."
	app := application("mode: cluster", "applicationState: {state: SUBMITTED}")
	wants := pod("etl-driver", "driver",
		`containers: [{name: spark-kubernetes-driver, resources: {requests: {cpu: "6", memory: 20Gi, nvidia.com/gpu: "1"}}}]`, unschedulable(says))
	has := func(cpu, memory, more string) string {
		return `status: {allocatable: {cpu: "` + cpu + `", memory: ` + memory + more + "}}"
	}
	const gpu = `, nvidia.com/gpu: "1"`
	neighbor := "\napiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: elsewhere}\n" +
		`spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: "4"}}}]}` + "\nstatus: {phase: Running}"
	for _, c := range []struct {
		name    string
		nodes   []string
		counted []string
		says    []string
		not     string
	}{
		{"each lacks another", []string{node("a", has("8", "16Gi", gpu)), node("b", has("4", "64Gi", gpu))}, nil,
			[]string{"it fits on none of 2 nodes", "6 CPU, and 1 of the 2 nodes has at most 4 allocatable (b)", "20 GiB memory", "has at " +
				"most 16 GiB allocatable (a)"}, "the most that a node"},
		{"no GPU", []string{node("a", has("8", "32Gi", "")), node("b", has("8", "32Gi", ""))}, nil,
			[]string{"it asks for 1 nvidia.com/gpu", "is 0 on a"}, ""},
		{"one has room, so that something else is in the way", []string{node("a", has("8", "32Gi", gpu)), node("b", has("1", "1Gi", ""))}, nil,
			nil, "it asks for"},
		{"nothing is known of its room", []string{node("a", ""), node("b", "")}, nil, nil, "it asks for"},
		{"no more pods", []string{node("a", has("8", "32Gi", gpu+", pods: '0'")), node("b", has("8", "32Gi", gpu+", pods: '0'"))}, nil,
			[]string{"2 of 2 nodes run as many pods as they may"}, "it asks for"},
		{"a node was not looked at", []string{node("a", has("8", "32Gi", gpu)), node("b", has("8", "32Gi", gpu))}, []string{"a"},
			[]string{"it asks for 6 CPU, and the most that one of 1 node has free is 4 on a (the pods of 1 more were not read)"}, "fits on none"},
		{"cordoned", []string{node("a", "spec: {unschedulable: true}\n"+has("8", "32Gi", gpu)),
			node("b", "spec: {unschedulable: true}\n"+has("8", "32Gi", gpu))}, nil,
			[]string{"2 of 2 are cordoned"}, ""},
	} {
		e := given(t, append([]string{app, wants, neighbor}, c.nodes...)...)
		e.Counted = map[string]bool{}
		for _, name := range c.counted {
			e.Counted[name] = true
		}
		got := standing(e)
		require.Len(t, got, 1, c.name)
		for _, text := range c.says {
			require.Contains(t, got[0].Message, text, c.name)
		}
		if c.not != "" {
			require.NotContains(t, got[0].Message, c.not, c.name)
		}
	}
}

// TestMemoryAddsUp: as Spark computes it for a role.
func TestMemoryAddsUp(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"", "5734Mi = 4g heap + 1638Mi overhead (40 %, at least 384Mi)"},
		{"memoryOverheadFactor: '0.2'", "4915Mi = 4g heap + 819Mi overhead (20 %, at least 384Mi)"},
		{"memoryOverheadFactor: '0.2', sparkConf: {spark.executor.memoryOverheadFactor: '0.5'}",
			"6144Mi = 4g heap + 2g overhead (50 %, at least 384Mi)"},
		{"memoryOverheadFactor: '0.2', sparkConf: {spark.kubernetes.memoryOverheadFactor: '0.5'}",
			"6144Mi = 4g heap + 2g overhead (50 %, at least 384Mi)"},
		{"sparkConf: {spark.yarn.executor.memoryOverhead: 1g}", "5120Mi = 4g heap + 1g overhead"},
		{"sparkConf: {spark.executor.memoryOverhead: '512', spark.executor.pyspark.memory: 1g}",
			"5632Mi = 4g heap + 512Mi overhead + 1g pyspark"},
		{"sparkConf: {spark.executor.memoryOverhead: 1g, spark.memory.offHeap.enabled: 'true', spark.memory.offHeap.size: '1073741824'}",
			"6144Mi = 4g heap + 1g overhead + 1g off-heap"},
		{"sparkConf: {spark.executor.memoryOverhead: 1g, spark.memory.offHeap.size: 1g}", "5120Mi = 4g heap + 1g overhead"},
		{"sparkConf: {spark.executor.minMemoryOverhead: 2g}", "6144Mi = 4g heap + 2g overhead (40 %, at least 2g)"},
	} {
		v := mechanism.Look(given(t, application(c.spec, "applicationState: {state: RUNNING}")))
		require.Equal(t, c.want, words.Limit(v.Limit("executor")), c.spec)
	}
	// Only Python has a memory of Python.
	scala := strings.Replace(application("sparkConf: {spark.executor.memoryOverhead: 1g, spark.executor.pyspark.memory: 1g}", "x: y"),
		"Python", "Scala", 1)
	require.Equal(t, "5120Mi = 4g heap + 1g overhead", words.Limit(mechanism.Look(given(t, scala)).Limit("executor")))
	lowered := pod("etl-driver", "driver", `containers: [{name: spark-kubernetes-driver, resources: {limits: {memory: 1Gi}}}]`, running)
	require.Equal(t, "1Gi, less than the 2867Mi that the spec adds up to (2g heap + 819Mi overhead (40 %, at least 384Mi))",
		words.Limit(mechanism.Look(given(t, application("", "x: y"), lowered)).Limit("driver")))
}

// TestSentences: the numbers that somebody who looks at a job at night wants, in one sentence.
func TestSentences(t *testing.T) {
	const alive = `phase: Running, containerStatuses: [{name: spark-kubernetes-executor, state: {running: {startedAt: "2026-11-23T11:31:00Z"}}}]`
	docs := []string{
		strings.Replace(application("mode: cluster", "applicationState: {state: RUNNING}"), "instances: 4", "instances: 20", 1),
		pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running),
	}
	for i := range 18 {
		docs = append(docs, executor(strconv.Itoa(i+1), alive))
	}
	for _, n := range []string{"19", "20"} {
		docs = append(docs, strings.Replace(pod("etl-0123456789abcdef-exec-"+n, "executor",
			`nodeSelector: {pool: spark}, containers: [{name: spark-kubernetes-executor, resources: {requests: {cpu: "16"}}}]`,
			unschedulable("0/12 nodes are available: 3 Insufficient cpu, 9 node(s) didn't match Pod's node affinity/selector.")),
			"11:00:02Z", "11:10:00Z", 1))
	}
	e := given(t, docs...)
	e.Counted = map[string]bool{}
	for i := range 12 {
		name := fmt.Sprintf("ip-10-%d", i+1)
		n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"pool": "general"}}}
		n.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("32")}
		if i < 3 {
			n.Labels["pool"] = "spark"
			p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "other", Name: name}}
			p.Spec.NodeName = name
			p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse([]string{"20800m", "30", "31"}[i])}}}}
			e.Neighbors = append(e.Neighbors, p)
		}
		e.Nodes, e.Counted[name] = append(e.Nodes, n), true
	}
	message := ""
	for _, c := range said(e) {
		if c.Class == cause.SlowButProgressing {
			message = c.Message
			break
		}
	}
	require.Contains(t, message, "18 of 20 executors run and the job goes on without the rest: 2 of 20 executors have been pending for "+
		"50 min: each asks for 16 CPU, and the 3 nodes with its labels have at most 11.2 free (ip-10-1); it fits on none of 12 nodes; "+
		"9 of 12 lack label pool=spark (nodes have: 9 pool=general)")
}
