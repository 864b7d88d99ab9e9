package logs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHeadersOfAllLayouts(t *testing.T) {
	at := time.Date(2026, 11, 10, 3, 12, 44, 0, time.UTC)
	milli := at.Add(926 * time.Millisecond)
	for _, row := range []struct {
		line            string
		at              time.Time
		level           level
		logger, message string
	}{
		{"26/11/10 03:12:44 ERROR TaskSchedulerImpl: Lost executor 2 on 10.0.0.1: x", at, failure, "TaskSchedulerImpl", "Lost executor " +
			"2 on 10.0.0.1: x"},
		{"26/11/10 03:12:44 WARN KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: gone", at, warn,
			"KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint", "gone"},
		{"2026-11-10T03:12:44,926 WARN  [dispatcher-2] org.apache.spark.FileSystem - Failed to initialize", milli, warn,
			"org.apache.spark.FileSystem",
			"Failed to initialize"},
		{"2026-11-10 03:12:44.926 [main] ERROR o.a.s.SparkContext - Error initializing SparkContext.", milli, failure, "o.a.s.SparkContext",
			"Error initializing SparkContext."},
		{"2026-11-10T05:12:44.926+02:00 INFO SparkContext:60 - Running Spark version 4.0.0", milli, info, "SparkContext", "Running " +
			"Spark version 4.0.0"},
		{"2026-11-10 05:12:44.926+0200 INFO  SparkContext [main]: Starting job: x", milli, info, "SparkContext", "Starting job: x"},
		{"[2026-11-10 03:12:44,926] INFO  TaskSetManager (task-result-getter-0) Finished task 1.0 in stage 2.0", milli, info,
			"TaskSetManager", "Finished task 1.0 in stage 2.0"},
		{"2026-11-10 03:12:44,926 ERROR org.apache.spark.SparkContext (main): no", milli, failure, "org.apache.spark.SparkContext", "no"},
		{"2026-11-10 03:12:44,926 WARN Executor (3) lost", milli, warn, "", "Executor (3) lost"},
		{"26/11/10 03:12:44 WARN X: Lost [3]: y", at, warn, "X", "Lost [3]: y"},
		{"[2026-11-10 03:12:44,926] {taskinstance.py:12} not a level", time.Time{}, plain, "", ""},
		{"2026-11-10 03:12:44,926 - etl - ERROR - row 7 was skipped", milli, failure, "etl", "row 7 was skipped"},
		{"ERROR:etl:row 7 was skipped", time.Time{}, failure, "etl", "row 7 was skipped"},
		{"INFO ExecutorPodsAllocator: asked for executor 1", time.Time{}, info, "ExecutorPodsAllocator", "asked for executor 1"},
		{"E1110 03:12:44.926000       1 leaderelection.go:330] error retrieving resource lock", time.Time{}, failure, "leaderelection.go:330",
			"error retrieving resource lock"},
		{`{"ts":"2026-11-10T03:12:44.926Z","level":"ERROR","msg":"Lost executor 1","context":{},"logger":"TaskSchedulerImpl"}`, milli, failure,
			"TaskSchedulerImpl", "Lost executor 1"},
		{`{"@timestamp":"2026-11-10T03:12:44.926Z","log.level":"WARN","message":"slow","log.logger":"a.B"}`, milli, warn, "a.B", "slow"},
		{`{"id": 7, "message": "a record that the job prints"}`, time.Time{}, plain, "", ""},
		{"Error: Failed to load class net.example.Main.", time.Time{}, plain, "", ""},
		{"WARNING: An illegal reflective access operation has occurred", time.Time{}, plain, "", ""},
		{"+ exec /usr/bin/tini -s -- /opt/spark/bin/spark-submit", time.Time{}, plain, "", ""},
		{"java.lang.IllegalStateException: no", time.Time{}, plain, "", ""},
		{"26/99/99 99:99:99 INFO X: y", time.Time{}, info, "X", "y"},
	} {
		h, ok := parseHeader(row.line)
		require.Equal(t, row.level != plain, ok, row.line)
		require.Equal(t, row.level, h.level, row.line)
		require.Equal(t, row.logger, h.logger, row.line)
		require.Equal(t, row.message, h.message, row.line)
		require.True(t, row.at.Equal(h.at), "%s: %s", row.line, h.at)
	}
}

func TestPrefixesOfRuntimesAreRemoved(t *testing.T) {
	for _, line := range []string{
		"2026-11-10T03:12:44.123456789Z ERROR Foo: bar", "2026-11-10T03:12:44.123456789Z stderr F ERROR Foo: bar",
	} {
		entries := read("", line, Clock{}).entries
		require.Len(t, entries, 1)
		require.Equal(t, failure, entries[0].level)
		require.Equal(t, "bar", entries[0].message)
		require.Equal(t, 44, entries[0].at.Second())
	}
}

func TestLinesAreClean(t *testing.T) {
	text := "\x1b[31mred\x1b[0m\r\n[Stage 0:>  (0 + 1) / 2]\rafter\x00\x07 \u202egpj\nbad \xff byte\n" + strings.Repeat("é", maxLine)
	got := slices.Collect(lines(text))
	require.Equal(t, []string{"red", "[Stage 0:>  (0 + 1) / 2]", "after gpj", "bad \uFFFD byte"}, got[:4])
	require.LessOrEqual(t, len(got[4]), maxLine)
	require.True(t, strings.HasSuffix(got[4], "é"))
}

// TestChains: root first.
func TestChains(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string // classes
		effect     bool
	}{
		{"caused by", "Exception in thread \"main\" a.b.OuterException: x\n\tat a.b.C.d(C.java:1)\nCaused by: a.b.Inner\n\tat " +
			"a.b.C.e(C.java:2)\n\t... 1 more",
			[]string{"a.b.Inner", "a.b.OuterException"}, false},
		{"suppressed is no cause", "Exception in thread \"main\" a.b.OuterException: x\n\tat a.b.C.d(C.java:1)\n\tSuppressed: " +
			"a.b.CloseException: y\n" +
			"\t\tat a.b.C.e(C.java:2)\n\tCaused by: a.b.DeepException: z\n\t\t... 1 more\nCaused by: a.b.RootException: w\n\t... 1 more",
			[]string{"a.b.RootException", "a.b.OuterException"}, false},
		{"most recent failure", "Exception in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage failure: Task 5 " +
			"in stage 1.0 failed 4 times, " +
			"most recent failure: Lost task 5.3 in stage 1.0 (TID 9) (10.0.0.1 executor 2): java.io.IOException: disk\n\tat " +
			"a.B.c(B.java:1)\n\nDriver stacktrace:\n" +
			"\tat org.apache.spark.scheduler.DAGScheduler.x(DAGScheduler.scala:1)\nCaused by: java.io.IOException: disk\n\tat a.B.c(B.java:1)",
			[]string{"java.io.IOException", "java.io.IOException", "org.apache.spark.SparkException"}, false},
		{"executor lost", "Exception in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage failure: Task 5 in " +
			"stage 1.0 failed 4 times, " +
			"most recent failure: Lost task 5.3 in stage 1.0 (TID 9) (10.0.0.1 executor 2): ExecutorLostFailure (executor 2 exited) Reason: x",
			[]string{"ExecutorLostFailure", "org.apache.spark.SparkException"}, true},
		{"remote", "Exception in thread \"main\" " +
			"org.apache.hadoop.ipc.RemoteException(org.apache.hadoop.security.AccessControlException): denied",
			[]string{"org.apache.hadoop.security.AccessControlException"}, false},
		{"in the message", "Exception in thread \"main\" java.nio.file.AccessDeniedException: bucket: a.NoAuthException: none : " +
			"com.c.STSException: 403",
			[]string{"com.c.STSException", "a.NoAuthException", "java.nio.file.AccessDeniedException"}, false},
		{"py4j", tracebackLine + "\n  File \"/app/x.py\", line 3, in <module>\n    f()\npy4j.protocol.Py4JJavaError: An error occurred " +
			"while calling o1.f.\n" +
			": java.lang.RuntimeException: no\n\tat a.B.c(B.java:1)\nCaused by: java.lang.ArithmeticException: / by zero\n\t... 1 more",
			[]string{"java.lang.ArithmeticException", "java.lang.RuntimeException", "py4j.protocol.Py4JJavaError"}, false},
		{"direct cause", tracebackLine + "\n  File \"x.py\", line 1, in f\n    g()\nKeyError: 'a'\n\n" + directCause + "\n\n" + tracebackLine +
			"\n  File \"x.py\", line 2, in h\n    f()\nValueError: b", []string{"KeyError", "ValueError"}, false},
		{"python worker", "26/01/01 00:00:00 WARN TaskSetManager: Lost task 4.0 in stage 0.0 (TID 3) (10.0.0.1 executor 1): " +
			"org.apache.spark.api.python.PythonException: " + tracebackLine + "\n  File \"x.py\", line 1, in f\n    " +
			"1/0\nZeroDivisionError: division by zero\n\n" +
			"\tat org.apache.spark.api.python.X.y(P.scala:1)", []string{"ZeroDivisionError",
			"org.apache.spark.api.python.PythonException"}, false},
		{"JVM stacktrace", tracebackLine + "\n  File \"/app/x.py\", line 3, in <module>\n    " +
			"f()\npyspark.errors.exceptions.captured.SparkRuntimeException: [A_B] no\n\n" +
			"JVM stacktrace:\norg.apache.spark.SparkRuntimeException: [A_B] no\n\tat org.apache.spark.A.b(A.scala:1)",
			[]string{"org.apache.spark.SparkRuntimeException", "pyspark.errors.exceptions.captured.SparkRuntimeException"}, false},
		{"structured", `{"ts":"2026-11-10T03:12:44.926Z","level":"ERROR","msg":"Error initializing SparkContext.",` +
			`"exception":{"class":"a.b.CException","msg":"x",` +
			`"stacktrace":"a.b.CException: x\n\tat a.b.C.d(C.java:1)\nCaused by: a.b.DException: y\n\t... 1 more"},"logger":"SparkContext"}`,
			[]string{"a.b.DException", "a.b.CException"}, false},
		{"structured frames", `{"ts":"2026-11-10T03:12:44.926Z","level":"ERROR","msg":"no","exception":{"class":"a.b.CException","msg":"x",` +
			`"stacktrace":[{"class":"a.b.C","method":"d","file":"C.java","line":7}]},"logger":"X"}`, []string{"a.b.CException"}, false},
		{"stopped", "Exception in thread \"main\" java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.",
			[]string{"java.lang.IllegalStateException"}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			entries := read("", row.text, Clock{}).entries
			require.Len(t, entries, 1)
			links := chain(&entries[0])
			var classes []string
			for _, l := range links {
				classes = append(classes, l.class)
			}
			require.Equal(t, row.want, classes)
			require.Equal(t, row.effect, effects(links))
		})
	}
}
