package logs_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

const uncaught = "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat net.example.Job$.main(Job.scala:9)\n"

// hooked is what Spark says last, at level INFO.
const hooked = "26/01/01 00:30:00 INFO ShutdownHookManager: Shutdown hook called\n"

const jobBegan = "26/01/01 00:00:02 INFO SparkContext: Starting job: count at Job.scala:3\n"

const realTraceback = "Traceback (most recent call last):\n  File \"/app/x.py\", line 1, in f\n    1/0\nZeroDivisionError: " +
	"division by zero\n"

func TestFirstFailure(t *testing.T) {
	const context = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
	lost := func(n, reason string) string {
		return "26/01/01 00:00:0" + n + " ERROR TaskSchedulerImpl: Lost executor " + n + " on 10.0.0." + n + ": " + reason + "\n"
	}
	aborted := "26/01/01 00:01:00 ERROR TaskSetManager: Task 7 in stage 2.0 failed 4 times; aborting job\nException in thread " +
		"\"main\" org.apache.spark." +
		"SparkException: Job aborted due to stage failure: Task 7 in stage 2.0 failed 4 times, most recent failure: Lost task 7.3 in " +
		"stage 2.0 (TID 9) " +
		"(10.0.0.3 executor 3): ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: gone\n" +
		"\tat org.apache.spark.scheduler.DAGScheduler.x(DAGScheduler.scala:1)\n"
	refused := "26/01/01 00:01:00 WARN TaskSetManager: Lost task 7.3 in stage 2.0 (TID 9) (10.0.0.3 executor 3): org.apache.hadoop.fs." +
		"azurebfs.oauth2.AzureADAuthenticator$HttpException: HTTP Error 401; response '{\"error_description\":\"AADSTS700213: No matching " +
		"federated identity record found for presented assertion subject 'system:serviceaccount:jobs:spark'. Check\"}'\n\tat a.B.c(B.java:1)\n" +
		"26/01/01 00:01:01 ERROR TaskSetManager: Task 7 in stage 2.0 failed 4 times; aborting job\n"
	for _, row := range []struct {
		name  string
		code  int32
		log   string
		class cause.Class // empty: none
		says  string
		sure  check.Certainty
	}{
		{"own code", 1, context + uncaught + hooked, cause.CodeFailed, "ArithmeticException: / by zero at Job.scala:9 (driver)", check.Proven},
		{"own code, at the end of a log that was cut", 1, context + uncaught, cause.CodeFailed, "/ by zero", check.Likely},
		{"own code, in a log whose beginning was cut off", 1, jobBegan + uncaught + hooked, cause.CodeFailed,
			"/ by zero", check.Likely},
		{"own code, yet the container succeeded", 0, context + uncaught, "", "", 0},
		{"killed without a word", 137, context, "", "", 0},
		{"killed after an ERROR that was handled", 143, context + "26/01/01 00:00:02 ERROR Job: could not refresh\njava.io.IOException: " +
			"stale\n\tat a.B.c(B.java:1)\n",
			"", "", 0},
		{"exit 1 without a word", 1, context, "", "", 0},
		{"of Spark alone", 1, context + "Exception in thread \"main\" org.apache.spark.SparkException: odd\n\tat " +
			"org.apache.spark.A.b(A.scala:1)\n",
			cause.Unknown, "the application failed with SparkException: odd", check.Likely},
		{"a job was given up, and the program does not print why", 1, context + refused, cause.Credentials,
			"no federated credential for system:serviceaccount:jobs:spark (AADSTS700213)", check.Likely},
		{"a later job finished", 1, context + refused + "26/01/01 00:02:00 INFO DAGScheduler: Got job 3 (count at A.scala:1) with 1 output " +
			"partitions\n26/01/01 00:02:01 INFO DAGScheduler: Job 3 finished: count at A.scala:1, took 0.1 s\n", "", "", 0},
		{"what spark-submit says is no part of a warning", 101, "26/01/01 00:00:01 WARN NativeCodeLoader: Unable to load native-hadoop " +
			"library\nError: Failed to load class net.example.Job.\n", cause.Configuration, "the main class net.example.Job is not in",
			check.Proven},
		{"executors preempted", 1, context + lost("1", "Executor decommission.") + lost("2", "Executor decommission.") + aborted,
			cause.ClusterKilled, "2 executors were decommissioned: the cluster drained or reclaimed the node; task 7 of stage 2 failed 4 " +
				"times", check.Proven},
		{"executors deleted", 1, context + lost("3", "The executor with id 3 was deleted by a user or the framework.") + aborted,
			cause.ClusterKilled, "executor 3 was deleted", check.Likely},
		{"executors killed", 1, context + lost("3", "The executor with id 3 exited with exit code 137(SIGKILL, possible container "+
			"OOM).") + aborted,
			cause.ClusterKilled, "SIGKILL", check.Likely},
		{"executors lost, nobody knows why", 1, context + lost("3", "Executor heartbeat timed out after 130000 ms") + aborted,
			cause.Unknown, "reason is unknown", check.Likely},
		{"too many executors failed", 11, context + lost("3", "The executor with id 3 exited with exit code 53.") +
			"26/01/01 00:02:00 ERROR ExecutorPodsAllocator: Max number of executor failures (6) reached\n", cause.Storage, "exit code 53",
			check.Likely},
		{"context failed first", 1, context + "26/01/01 00:00:02 ERROR SparkContext: Error initializing " +
			"SparkContext.\njava.net.UnknownHostException: db.example\n" +
			"\tat java.base/java.net.X.y(X.java:1)\n" + strings.Replace(uncaught, "/ by zero", "spark is null", 1), cause.Network,
			"db.example", check.Proven},
		{"consequence first, cause after", 1, context + "Exception in thread \"dispatcher-1\" java.lang.OutOfMemoryError: Java heap " +
			"space\n\tat a.B.c(B.java:1)\n" +
			"Exception in thread \"main\" java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.\n\tat a.B.c(B.java:2)\n",
			cause.Configuration, "heap", check.Proven},
		{"thread that died beside main", 1, context + "Exception in thread \"metrics\" java.lang.NullPointerException\n\tat " +
			"a.B.c(B.java:1)\n" + uncaught + hooked,
			cause.CodeFailed, "/ by zero", check.Proven},
		{"caught, logged, stopped and exited", 1, context + "ERROR:etl:failed\n" + strings.TrimSuffix(realTraceback, "\n") + "\n" +
			"26/01/01 00:00:06 INFO SparkContext: SparkContext is stopping with exitCode 0.\n26/01/01 00:00:07 INFO SparkContext: " +
			"Successfully stopped SparkContext\n",
			cause.CodeFailed, "ZeroDivisionError: division by zero at x.py:1", check.Likely},
		{"handled, then done", 1, "ERROR:etl:failed\n" + realTraceback + "26/01/01 00:00:05 INFO SparkContext: Starting job: x\n" +
			"26/01/01 00:00:06 INFO SparkContext: SparkContext is stopping with exitCode 0.\n26/01/01 00:00:07 INFO SparkContext: " +
			"Successfully stopped SparkContext\n",
			"", "", 0},
		{"results too large", 1, context + "Exception in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage failure: " +
			"Total size of serialized results of 40 tasks (1026.0 MiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)\n" +
			"\tat org.apache.spark.A.b(A.scala:1)\n\tat a.B.main(B.scala:9)\n", cause.Configuration, "maxResultSize", check.Proven},
		{"Spark does not start", 1, context + "26/01/01 00:00:02 ERROR SparkContext: Error initializing SparkContext.\n" +
			"org.apache.spark.SparkException: An odd setting\n\tat org.apache.spark.SparkConf.x(SparkConf.scala:1)\n",
			cause.Configuration, "Spark did not start: SparkException: An odd setting", check.Likely},
		{"noise while it stops", 1, context + "26/01/01 00:00:09 INFO SparkContext: Invoking stop() from shutdown hook\n" +
			"26/01/01 00:00:09 ERROR Utils: Uncaught exception in thread shutdown-hook-0\njava.util.concurrent.RejectedExecutionException: " +
			"x\n\tat a.B.c(B.java:1)\n",
			cause.Unknown, "consequences", check.Likely},
	} {
		t.Run(row.name, func(t *testing.T) {
			found := logs.Causes(ended(row.code, row.log))
			if row.class == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, row.class, found[0].Class, said(found[0]))
			require.Contains(t, said(found[0]), row.says)
			require.Equal(t, row.sure, found[0].Certainty, said(found[0]))
			require.Equal(t, row.class == cause.Unknown, found[0].Effect)
		})
	}
}

// TestExecutorsTellWhatTheDriverDoesNot: the driver gave up for lost executors, whose own logs say why.
func TestExecutorsTellWhatTheDriverDoesNot(t *testing.T) {
	e := ended(1, "26/01/01 00:02:00 ERROR ExecutorPodsAllocator: Max number of executor failures (6) reached\n")
	for n := range 3 {
		name := "etl-exec-" + strconv.Itoa(n)
		e.Pods = append(e.Pods, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name}})
		e.Logs = append(e.Logs, app.Log{Namespace: "team", Pod: name, Container: "spark-kubernetes-executor", Role: "executor",
			Tail: "Exception in thread \"main\" java.lang.NoSuchMethodError: 'void a.B.c()'\n\tat org.apache.spark.executor.X.y(X.scala:1)\n"})
	}
	found := logs.Causes(e)
	require.Len(t, found, 2)
	require.True(t, found[0].Effect)
	require.Equal(t, cause.Dependency, found[1].Class)
	require.Equal(t, cause.ByExecutorLog, found[1].Trust)
	require.GreaterOrEqual(t, len(found[1].Evidence), 3, "one line of each executor")

	e = ended(0, "")
	e.Logs = append(e.Logs, app.Log{Namespace: "team", Pod: "etl-exec-1", Role: "executor", Tail: uncaught})
	require.Empty(t, logs.Causes(e), "the job succeeded without it")
}

// TestExecutorsThatDoNotFindTheDriver: while the driver waits for them it is a fault, and once it has ended a consequence.
func TestExecutorsThatDoNotFindTheDriver(t *testing.T) {
	const unknown = "26/01/01 00:01:00 INFO X: y\nException in thread \"main\" java.net.UnknownHostException: " +
		"etl-1-driver-svc.team.svc\n\tat java.base/a.B.c(B.java:1)\n"
	const refused = "26/01/01 00:01:00 INFO X: y\nException in thread \"main\" org.apache.spark.SparkException: Exception thrown in " +
		"awaitResult: \n" +
		"\tat org.apache.spark.rpc.RpcTimeout.a(RpcTimeout.scala:1)\nCaused by: java.io.IOException: Failed to connect to " +
		"etl-1-driver-svc.team.svc/10.0.0.1:7078\n" +
		"\tat org.apache.spark.network.client.X.y(X.java:1)\nCaused by: java.net.ConnectException: Connection timed out\n\t... 1 more\n"
	for _, text := range []string{unknown, refused} {
		e := ended(1, "26/01/01 00:05:00 WARN TaskSchedulerImpl: waiting\n")
		e.Logs = append(e.Logs, app.Log{Namespace: "team", Pod: "etl-exec-1", Role: "executor", Tail: text})
		found := logs.Causes(e)
		require.Len(t, found, 1)
		require.Equal(t, cause.Network, found[0].Class)
		require.Equal(t, check.Likely, found[0].Certainty)
		require.Contains(t, said(found[0]), "executors cannot connect to the driver: ")
		e.Logs[0].Tail = "26/01/01 00:00:30 WARN TaskSchedulerImpl: waiting\n"
		require.Empty(t, logs.Causes(e), "the driver had ended")
		e.Logs[0].Tail += "26/01/01 00:05:00 INFO KubernetesDriverEndpoint: Registered executor 2\n"
		require.Empty(t, logs.Causes(e), "others reached it")
	}
}

func TestContainersBesideSparkAreNotRead(t *testing.T) {
	e := ended(1, "")
	e.Pods[0].Spec.Containers = []corev1.Container{{Name: "spark-kubernetes-driver"}, {Name: "proxy"}}
	e.Logs[0].Container, e.Logs[0].Tail = "proxy", uncaught
	require.Empty(t, logs.Causes(e))
}

func TestTextOfTheOperator(t *testing.T) {
	subject := snapshot.Ref{Kind: "SparkApplication", Namespace: "team", Name: "etl"}
	found := logs.FromText("failed to run spark-submit: exit status 1: Exception in thread \"main\" java.net.UnknownHostException: "+
		"kubernetes.default.svc\n"+
		"\tat java.base/java.net.InetAddress.getByName(InetAddress.java:1256)\n", subject, nil)
	require.Len(t, found, 1)
	require.Equal(t, cause.Network, found[0].Class)
	require.Equal(t, subject, found[0].Subject)
	require.Equal(t, "status.applicationState.errorMessage", found[0].Evidence[0].Field)
	found = logs.FromText("Exception in thread \"main\" org.apache.spark.SparkException: odd\n\tat org.apache.spark.A.b(A.scala:1)\n",
		subject, nil)
	require.Empty(t, found, "the catalogue does not know it")
	require.Empty(t, logs.FromText("driver container failed with ExitCode: 1, Reason: Error", subject, nil))
	require.Empty(t, logs.FromText("", subject, nil))
}

func TestDigest(t *testing.T) {
	const done = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n26/01/01 00:00:05 INFO DAGScheduler: Job 0 " +
		"finished: count, took 1 s\n" +
		"26/01/01 00:00:06 INFO SparkContext: SparkContext is stopping with exitCode 0.\n26/01/01 00:00:07 INFO SparkContext: " +
		"Successfully stopped SparkContext\n"
	well := logs.Digest(&ended(143, done+"26/01/01 00:01:30 ERROR CoarseGrainedExecutorBackend: RECEIVED SIGNAL TERM\n").Logs[0], logs.Clock{})
	require.True(t, well.WorkDone)
	require.False(t, well.Uncaught)
	require.Equal(t, 30, well.Last.Second())
	require.Equal(t, 7, well.Ended.Second())
	require.Contains(t, well.Wrote, "Job 0 finished")
	require.Len(t, well.After, 1)
	killed := logs.Digest(&ended(143, "26/01/01 00:00:05 ERROR X: RECEIVED SIGNAL TERM\n"+
		strings.ReplaceAll(done, "Running", "running")).Logs[0], logs.Clock{})
	require.False(t, killed.WorkDone)
	died := logs.Digest(&ended(1, uncaught+done).Logs[0], logs.Clock{})
	require.True(t, died.Uncaught)
	require.False(t, died.WorkDone)
}

// TestLargeLogsAreBounded: what is said stays short however much is written.
func TestLargeLogsAreBounded(t *testing.T) {
	for name, log := range map[string]string{
		"one line":    strings.Repeat("x", 4<<20),
		"one message": "Exception in thread \"main\" a.b.CException: " + strings.Repeat("a.b.DException: ", 50_000),
		"causes":      uncaught + strings.Repeat("Caused by: a.b.CException: x\n\tat a.B.c(B.java:1)\n", 15_000),
		"errors":      strings.Repeat("26/01/01 00:00:01 ERROR Foo: java.io.IOException: no\n\tat a.B.c(B.java:1)\n", 10_000),
		"tracebacks":  strings.Repeat("Traceback (most recent call last):\n  File \"x.py\", line 1, in f\n    f()\nValueError: x\n", 10_000),
		"losses":      strings.Repeat("26/01/01 00:00:01 ERROR TaskSchedulerImpl: Lost executor 1 on 10.0.0.1: gone\n", 10_000) + uncaught,
		"plain lines": strings.Repeat("row of a table that the job prints\n", 8_000),
		"task failures": strings.Repeat("26/01/01 00:00:01 WARN TaskSetManager: Lost task 1.0 in stage 1.0 (TID 1) (h executor 1): "+
			"FetchFailed(BlockManagerId(1, h, 1, None)\n", 8_000),
		"fetch failures": strings.Repeat("26/01/01 00:00:01 WARN TaskSetManager: Lost task 1.0 in stage 1.0 (TID 1) (h executor 1): "+
			"FetchFailed(BlockManagerId(1, h, 1, None)\n", 4_000) + "Exception in thread \"main\" " +
			"org.apache.spark.shuffle.FetchFailedException: x\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range logs.Causes(ended(1, log)) {
				require.Less(t, len(said(c)), 2<<10)
				require.LessOrEqual(t, len(c.Evidence), 8)
				for _, p := range c.Evidence {
					require.LessOrEqual(t, len(p.Value), 940)
				}
			}
		})
	}
}

// TestPrintedDataHidesNothing: a job that prints its data may still say at its end why it failed.
func TestPrintedDataHidesNothing(t *testing.T) {
	log := strings.Repeat("|  12 | row |\n", 50_000) + "/opt/entrypoint.sh: line 51: exec: driver: not found\n"
	found := logs.Causes(ended(127, log))
	require.Len(t, found, 1)
	require.Equal(t, cause.Image, found[0].Class)
}

func FuzzCauses(f *testing.F) {
	for _, row := range realFailures() {
		f.Add(uncaught, row.name, int32(1))
		logs.Causes(ended(1, row.name)) // the catalog is read once a process, and takes more than an input may
	}
	f.Add("26/01/01 00:00:01 ERROR X: y\n\x1b[31m", "Caused by: a.B: \xff\n", int32(143))
	f.Add(`{"level":"ERROR","msg":"x","exception":{"class":"a.B","stacktrace":[]}}`, "{\n", int32(0))
	f.Fuzz(func(t *testing.T, head, tail string, code int32) {
		defer allocated.Bound(t, len(head)+len(tail))()
		e := ended(code, tail)
		e.Logs[0].Head, e.Logs[0].Dropped = head, -1
		all := append(logs.Causes(e), logs.FromText(head, snapshot.Ref{}, nil)...)
		for _, c := range all {
			require.NotEmpty(t, said(c))
			require.Contains(t, cause.Classes(), c.Class)
			require.False(t, c.Effect && c.Certainty == check.Proven)
			for _, p := range append(c.Evidence, cause.Proof{Value: said(c)}) {
				require.True(t, utf8.ValidString(p.Value))
				require.False(t, strings.ContainsFunc(p.Value, unicode.IsControl), "%q", p.Value)
			}
		}
		_ = logs.Digest(&e.Logs[0], logs.Clock{})
		require.True(t, slices.Equal(messages(all), messages(append(logs.Causes(e), logs.FromText(head, snapshot.Ref{}, nil)...))))
	})
}

func messages(causes []cause.Cause) []string {
	var out []string
	for _, c := range causes {
		out = append(out, said(c))
	}
	return out
}
