package logs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestWhatRelationsAsk: what failed is asked of values, as other programs wrote them, and nothing of ours is read.
func TestWhatRelationsAsk(t *testing.T) {
	const main = "Exception in thread \"main\" "
	for name, row := range map[string]struct {
		log string
		is  func(f logs.Failure) bool
	}{
		"no name": {main + "java.net.UnknownHostException: etl-1-driver-svc.team.svc\n\tat a.B.c(B.java:1)\n",
			func(f logs.Failure) bool { return f.Connection.Unresolved && !f.Connection.TimedOut }},
		"time ran out, at the deepest host": {main + "a.b.XException: no connection to proxy.example.net:3128\n\tat a.B.c(B.java:1)\n" +
			"Caused by: java.net.SocketTimeoutException: Connect to db.example.net:5432 timed out\n\t... 1 more\n",
			func(f logs.Failure) bool {
				return f.Root.Class == "java.net.SocketTimeoutException" &&
					f.Connection == logs.Connection{TimedOut: true, Host: "db.example.net", Port: 5432}
			}},
		"a frame is no host": {main + "a.b.XException: no\n\tat a.B.c(B.java:1234)\n",
			func(f logs.Failure) bool { return f.Connection == logs.Connection{} }},
		"a file": {"Traceback (most recent call last):\n  File \"/opt/etl.py\", line 4, in <module>\n    open(P)\n" +
			"FileNotFoundError: [Errno 2] No such file or directory: '/etc/jobs/etl.yaml'\n",
			func(f logs.Failure) bool {
				return f.Absent.Name == "" && len(f.Absent.Paths) == 2 && f.Absent.Paths[0] == "/etc/jobs/etl.yaml"
			}},
		"a variable": {"Traceback (most recent call last):\n  File \"/opt/etl.py\", line 4, in <module>\n    os.environ[\"BUCKET\"]\n" +
			"  File \"<frozen os>\", line 679, in __getitem__\nKeyError: 'BUCKET'\n",
			func(f logs.Failure) bool {
				return f.Absent.Name == "BUCKET" && f.Meaning == logs.VariableUnset{Name: "BUCKET"} && f.Absent.Paths == nil
			}},
		"a wait": {main + "org.apache.spark.SparkException: Could not execute broadcast in 300 secs. You can increase the timeout for " +
			"broadcasts via spark.sql.broadcastTimeout\n\tat org.apache.spark.sql.A.b(A.scala:1)\n",
			func(f logs.Failure) bool {
				return f.Settings[0] == "spark.sql.broadcastTimeout" && f.Connection == logs.Connection{}
			}},
		"who acted": {main + "a.b.S3Exception: User: arn:aws:sts::1:assumed-role/nodes/i-03c1b7e25f8d4a960 is not authorized\n" +
			"\tat a.B.c(B.java:1)\n",
			func(f logs.Failure) bool {
				return len(f.Actors) == 1 && f.Actors[0] == logs.Actor{Cloud: logs.Amazon, Name: "nodes", Instance: "i-03c1b7e25f8d4a960"}
			}},
	} {
		found := logs.Causes(ended(1, row.log))
		require.Len(t, found, 1, name)
		f, is := found[0].Detail.(logs.Failure)
		require.True(t, is, name)
		require.True(t, row.is(f), "%s: %+v", name, f)
		require.Equal(t, cause.DriverRole, f.In, name)
		require.NotEmpty(t, f.Chain, name)
		require.NotEmpty(t, f.Lines, name)
	}
}

// TestTopicsOfLosses: an executor that was killed for memory is about executors and their limit, whichever log tells.
func TestTopicsOfLosses(t *testing.T) {
	const begin = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n" +
		"26/01/01 00:00:02 INFO SparkContext: Starting job: save at Load.scala:3\n"
	lost := "26/01/01 00:01:00 ERROR TaskSchedulerImpl: Lost executor 2 on 10.0.0.1: \nThe executor with id 2 exited with exit code 137.\n" +
		"The API gave the following container statuses:\n\t termination reason: OOMKilled\n"
	end := "Exception in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage failure: Task 5 in stage 1.0 failed 4 " +
		"times, most recent failure: Lost task 5.3 in stage 1.0 (TID 9) (10.0.0.1 executor 2): ExecutorLostFailure (executor 2 exited caused " +
		"by one of the running tasks) Reason: Executor exited with exit code 137\n\tat a.B.c(B.java:1)\n"
	found := logs.Causes(ended(1, begin+lost+end))
	require.Len(t, found, 1)
	f, _ := found[0].Detail.(logs.Failure)
	require.Equal(t, logs.ExecutorsLost{}, f.Meaning)
	require.Equal(t, logs.Lost{Executors: []string{"2"}, Reason: logs.OOMKilled, Code: 137,
		Says: "The executor with id 2 exited with exit code 137."}, f.Lost)
	require.Equal(t, logs.Attempts{Task: 5, Stage: 1, Times: 4}, f.Attempts)
	require.Equal(t, cause.ExecutorRole, found[0].Role)
	require.True(t, found[0].Topics.Has(cause.OOMKilled) && found[0].Topics.Has(cause.OwnLimit) && found[0].Topics.Has(cause.Memory))
}
