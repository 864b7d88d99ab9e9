package why_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWhatCrashedAPythonWorker: the kernel did only where an event of a node says so, of a Python process, while tasks failed, and on a
// node of the executors where these are known.
func TestWhatCrashedAPythonWorker(t *testing.T) {
	c := numbered(t, "080")
	oom := func(o *unstructured.Unstructured) bool {
		return o.GetKind() == "Event" && o.Object["reason"] == "OOMKilling"
	}
	driver := slices.IndexFunc(c.objects, func(o unstructured.Unstructured) bool {
		return o.GetKind() == "Pod" && o.GetName() == "prophet-fit-driver"
	})
	require.GreaterOrEqual(t, driver, 0)
	executorOn := func(node string) []unstructured.Unstructured {
		p := c.objects[driver].DeepCopy()
		labels := p.GetLabels()
		labels["spark-role"] = "executor"
		p.SetLabels(labels)
		p.SetName("prophet-fit-0123456789abcdef-exec-1")
		p.SetUID("e1")
		p.Object["spec"].(map[string]any)["nodeName"] = node //nolint:forcetypeassert // a test
		p.Object["status"] = map[string]any{"phase": "Running"}
		return []unstructured.Unstructured{*p}
	}
	var node string
	for i := range c.objects {
		if oom(&c.objects[i]) {
			node, _, _ = unstructured.NestedString(c.objects[i].Object, "involvedObject", "name")
		}
	}
	require.NotEmpty(t, node)
	for name, tc := range map[string]struct {
		change func(event map[string]any)
		beside []unstructured.Unstructured
		want   cause.Class
	}{
		"as it was":       {func(map[string]any) {}, nil, cause.ClusterKilled},
		"on their node":   {func(map[string]any) {}, executorOn(node), cause.ClusterKilled},
		"on another node": {func(map[string]any) {}, executorOn("another"), cause.Unknown},
		"an hour before": {func(e map[string]any) {
			e["firstTimestamp"], e["lastTimestamp"] = "2026-07-22T21:24:56Z", "2026-07-22T21:24:56Z"
		},
			nil, cause.Unknown},
		"another program": {func(e map[string]any) { e["message"] = "Memory cgroup out of memory: Killed process 41000 (java)" },
			nil, cause.Unknown},
		"another reason": {func(e map[string]any) { e["reason"] = "TaskHung" }, nil, cause.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			objects := slices.Clone(tc.beside)
			for i := range c.objects {
				o := c.objects[i].DeepCopy()
				if oom(o) {
					tc.change(o.Object)
				}
				objects = append(objects, *o)
			}
			f := why.Open(c.Evidence(objects))
			require.Equal(t, tc.want, f.Verdict().Class, f.Verdict().Message)
		})
	}
}

// TestEachTryOfATaskCounts: a kill counts for each try, however long before the last one, where the nodes of the executors are known; on
// other nodes, and before the first try, it does not, and a process of which two events tell counts once.
func TestEachTryOfATaskCounts(t *testing.T) {
	const (
		log = "26/03/11 19:40:16 INFO SparkContext: Running Spark version 3.5.4\n26/03/11 19:42:08 WARN TaskSetManager: Lost task 13.0 in " +
			"stage 3.0 (TID 53) (10.0.0.2 executor 2): org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)\n\tat " +
			"org.apache.spark.api.python.BasePythonRunner$ReaderIterator$$anonfun$1.applyOrElse(PythonRunner.scala:612)\n" +
			"26/03/11 19:47:00 ERROR TaskSetManager: Task 13 in stage 3.0 failed 4 times; aborting job\n" +
			"Exception in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage failure: Task 13 in stage 3.0 failed 4 " +
			"times, most recent failure: Lost task 13.3 in stage 3.0 (TID 67) (10.0.0.2 executor 2): org.apache.spark.SparkException: Python " +
			"worker exited unexpectedly (crashed)\n\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator$$anonfun$1.applyOrElse(" +
			"PythonRunner.scala:612)\n"
		exec = "etl-0123456789abcdef-exec-2"
	)
	at := func(clock string) time.Time {
		when, err := time.Parse(time.DateTime, "2026-03-11 "+clock)
		require.NoError(t, err)
		return when
	}
	kill := func(node, clock, process string) app.Event {
		return app.Event{Type: "Warning", Reason: "OOMKilling", First: at(clock), Last: at(clock),
			Message:  "Memory cgroup out of memory: Killed process " + process + " (python3) total-vm:6218840kB, anon-rss:3290144kB",
			Involved: snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: node}}
	}
	again := kill("n1", "19:46:59", "4")
	again.Reason, again.Message = "SystemOOM", "System OOM encountered, victim process: python3, pid: 4"
	kills := []app.Event{kill("n1", "19:42:07", "1"), kill("n1", "19:43:44", "2"), kill("n1", "19:45:25", "3"), kill("n1", "19:46:59", "4"),
		again, kill("n2", "19:43:44", "5"), kill("n1", "19:30:00", "6")}
	scheduled := app.Event{Reason: "Scheduled", Message: "Successfully assigned team/" + exec + " to n1", First: at("19:40:00"),
		Last: at("19:40:00"), Involved: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team", Name: exec}}
	for says, events := range map[string][]app.Event{
		"killed 4 Python processes": append(kills, scheduled),
		"killed 1 Python process":   kills, // of which node, nothing tells
	} {
		e := &app.Evidence{Now: at("20:00:00"), Subject: snapshot.Ref{Kind: "SparkApplication", Namespace: "team", Name: "etl"}, Events: events,
			Pods: []corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "etl-driver", Labels: map[string]string{
				"spark-role": "driver"}}, Status: corev1.PodStatus{Phase: corev1.PodFailed, ContainerStatuses: []corev1.ContainerStatus{{
				Name: "spark-kubernetes-driver", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1,
					Reason: "Error", FinishedAt: metav1.NewTime(at("19:47:05"))}}}}}}},
			Logs: []app.Log{{Namespace: "team", Pod: "etl-driver", Container: "spark-kubernetes-driver", Role: "driver", Tail: log}}}
		f := why.Open(e)
		require.Equal(t, cause.ClusterKilled, f.Verdict().Class, f.Verdict().Message)
		require.Contains(t, f.Verdict().Message, says)
		require.Contains(t, f.Verdict().Shows.Value, "Killed process", "the kernel shows it")
	}
}
