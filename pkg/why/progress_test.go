package why_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// about opens the case file of application jobs/etl at noon.
func about(t *testing.T, objects []string, logs ...app.Log) *why.Cause {
	t.Helper()
	var list []unstructured.Unstructured
	for _, text := range objects {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
		list = append(list, o)
	}
	f := why.Open(app.FromObjects(list, logs, snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication",
		Namespace: "jobs", Name: "etl"}, time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)))
	return f.Verdict()
}

// runs is an application of two executors that runs since nine, and three before these that failed.
func runs(spec string) []string {
	out := []string{`
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: jobs, uid: a, creationTimestamp: "2026-11-23T08:59:50Z"}
spec: {type: Scala, mode: cluster` + spec + `}
status:
  applicationState: {state: RUNNING}
  driverInfo: {podName: etl-driver}
  lastSubmissionAttemptTime: "2026-11-23T09:00:00Z"
  executorState: {etl-1-exec-1: FAILED, etl-1-exec-2: FAILED, etl-1-exec-3: FAILED, etl-1-exec-4: RUNNING, etl-1-exec-5: RUNNING}`}
	for name, since := range map[string]string{"driver": "09:00:05", "1-exec-4": "09:00:30", "1-exec-5": "11:10:00"} {
		role := "executor"
		if name == "driver" {
			role = name
		}
		out = append(out, fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: etl-%s, namespace: jobs, uid: %[1]s, creationTimestamp: "2026-11-23T%sZ",
  labels: {spark-role: %s, spark-app-selector: s1, sparkoperator.k8s.io/app-name: etl}}
spec: {containers: [{name: spark-kubernetes-%[3]s}]}
status: {phase: Running, containerStatuses: [{name: spark-kubernetes-%[3]s, ready: true,
  state: {running: {startedAt: "2026-11-23T%[2]sZ"}}}]}`,
			name, since, role))
	}
	return out
}

func logOf(pod, role, text string) app.Log {
	return app.Log{Namespace: "jobs", Pod: pod, Container: "spark-kubernetes-" + role, Tail: text}
}

// batches are those of a stream, one a minute until a time.
func batches(until string) string {
	var text strings.Builder
	text.WriteString("26/11/23 09:00:10 INFO SparkContext: Running Spark version 3.5.5\n")
	last, _ := time.Parse("15:04", until)
	for i := 20; i >= 0; i-- {
		fmt.Fprintf(&text, "26/11/23 %s INFO MicroBatchExecution: Streaming query made progress: {\"name\" : \"clicks\", \"batchId\" : %d, "+
			"\"numInputRows\" : 100}\n", last.Add(-time.Duration(i)*time.Minute).Format("15:04:05"), 120-i)
	}
	return text.String()
}

// TestStreamsThatKeepUp: executors that failed before do not matter where the batches come as often as they do, and one whose last batch is
// far older than the others does not get on.
func TestStreamsThatKeepUp(t *testing.T) {
	v := about(t, runs(", executor: {instances: 2}"), logOf("etl-driver", "driver", batches("11:59")))
	require.Equal(t, cause.RunningNormally, v.Class, v.Message)
	for _, word := range []string{"stream clicks gets on: batch 120 (100 rows) finished 60 s ago, one every 60 s", "with 2 of 2 executors now",
		"3 lost executors were replaced"} {
		require.Contains(t, v.Message, word)
	}
	v = about(t, runs(", executor: {instances: 2}"), logOf("etl-driver", "driver", batches("11:20")))
	require.NotEqual(t, cause.RunningNormally, v.Class, v.Message)
	require.NotContains(t, v.Message, "gets on")
}

// TestStragglers: the last task of a stage that spills works, and one that does not may be blocked.
func TestStragglers(t *testing.T) {
	driver := "26/11/23 09:00:10 INFO SparkContext: Running Spark version 3.5.5\n" +
		"26/11/23 09:00:11 INFO SparkContext: Starting job: save at Job.scala:9\n" +
		"26/11/23 09:00:12 INFO DAGScheduler: Submitting 40 missing tasks from ResultStage 2 (MapPartitionsRDD[1] at save at Job.scala:9) " +
		"(first 15 tasks are for partitions Vector(0, 1))\n" +
		"26/11/23 09:10:00 INFO TaskSetManager: Finished task 38.0 in stage 2.0 (TID 48) in 31000 ms on 10.1.1.1 (executor 4) (39/40)\n"
	spills := func(at string) string {
		return "26/11/23 09:01:00 INFO Executor: Running task 7.0 in stage 2.0 (TID 17)\n" +
			"26/11/23 " + at + " INFO UnsafeExternalSorter: Thread 61 spilling sort data of 2.0 GiB to disk (3  times so far)\n"
	}
	spec := `, executor: {instances: 2}, sparkConf: {spark.sql.adaptive.enabled: "false"}`
	v := about(t, runs(spec), logOf("etl-driver", "driver", driver), logOf("etl-1-exec-4", "executor", spills("11:58:00")))
	require.Equal(t, cause.SlowButProgressing, v.Class, v.Message)
	require.Contains(t, v.Message, "data skew: task 7.0 of stage 2 (save at Job.scala:9), the last of 40, has been running for 2 h 59 min")
	require.Len(t, v.Change, 1)
	for _, log := range []string{spills("10:00:00"), "26/11/23 09:01:00 INFO Executor: Running task 7.0 in stage 2.0 (TID 17)\n"} {
		v := about(t, runs(spec), logOf("etl-driver", "driver", driver), logOf("etl-1-exec-4", "executor", log))
		require.Equal(t, cause.Unknown, v.Class, v.Message)
	}
}

// TestApplicationsThatWereDeleted are answered from what names them.
func TestApplicationsThatWereDeleted(t *testing.T) {
	const killing = `{apiVersion: v1, kind: Event, type: Normal, reason: Killing, message: Stopping container spark-kubernetes-driver,
metadata: {name: e, namespace: jobs}, firstTimestamp: "2026-11-23T11:30:01Z", lastTimestamp: "2026-11-23T11:30:01Z",
involvedObject: {apiVersion: v1, kind: Pod, name: etl-driver, namespace: jobs}}`
	said := func(state string) app.Log {
		return app.Log{Namespace: "spark-operator", Pod: "c", Container: "c", Tail: "2026-11-23T11:30:00.1Z\tINFO\t" +
			"sparkapplication/event_handler.go:240\tSparkApplication deleted\t" + `{"name": "etl", "namespace": "jobs", "state": "` + state +
			`"}` + "\n"}
	}
	airflow := func(timeout string) app.Log {
		return app.Log{Namespace: "airflow", Pod: "w", Container: "base", Tail: timeout +
			"[2026-11-23T11:30:00.335+0000] {spark_kubernetes.py:241} INFO - Deleting spark job: etl\n" +
			"[2026-11-23T11:30:02.356+0000] {taskinstance.py:1226} INFO - Marking task as FAILED. dag_id=daily, task_id=load, run_id=x\n"}
	}
	for name, c := range map[string]struct {
		objects []string
		logs    []app.Log
		class   cause.Class
		says    string
	}{
		"by a task that took too long": {[]string{killing}, []app.Log{said("RUNNING"),
			airflow("[2026-11-23T11:29:59.340+0000] {timeout.py:68} ERROR - Process timed out, PID: 23\n")}, cause.StoppedByUser,
			"Airflow task daily.load took longer than its execution_timeout and deleted the application at 11:30:00 in state RUNNING"},
		"after an import that took too long": {nil, []app.Log{said("RUNNING"),
			airflow("[2026-11-23T09:00:00.340+0000] {timeout.py:68} ERROR - Process timed out, PID: 23\n")}, cause.Unknown,
			"Airflow task daily.load deleted the application"},
		"by somebody unknown": {[]string{killing}, []app.Log{said("RUNNING")}, cause.StoppedByUser, "nothing that was read says by whom"},
		"after its end":       {nil, []app.Log{said("COMPLETED")}, cause.Unknown, "deleted at 11:30:00 in state COMPLETED"},
		"by events alone":     {[]string{killing}, nil, cause.Unknown, "its driver was stopped at 11:30:01"},
		"nothing names it":    {nil, nil, cause.Unknown, "nothing here shows"},
	} {
		t.Run(name, func(t *testing.T) {
			v := about(t, c.objects, c.logs...)
			require.Equal(t, c.class, v.Class, v.Message)
			require.Contains(t, v.Message, c.says)
		})
	}
}
