package logs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestLossesThatOnlyTasksTell: each executor counts once, whether its driver says that it lost it, or only its tasks say so since the log
// begins after that; and one that the driver ended itself does not count.
func TestLossesThatOnlyTasksTell(t *testing.T) {
	const oom = "\nThe executor with id @ exited with exit code 137(SIGKILL, possible container OOM).\n\t exit code: 137\n\t termination " +
		"reason: OOMKilled\n"
	of := func(executor, text string) string { return strings.ReplaceAll(text, "@", executor) }
	lost := func(executor string) string {
		return of(executor, "26/01/01 00:00:02 ERROR TaskSchedulerImpl: Lost executor @ on 10.0.0.9: "+oom)
	}
	task := func(executor, why string) string {
		return of(executor, "26/01/01 00:00:02 WARN TaskSetManager: Lost task 5.0 in stage 2.0 (TID 61) (10.0.0.9 executor @): "+
			"ExecutorLostFailure (executor @ exited caused by one of the running tasks) Reason: "+why)
	}
	const gaveUp = "26/01/01 00:01:00 INFO DAGScheduler: x\nException in thread \"main\" org.apache.spark.SparkException: Job aborted due " +
		"to stage failure: ResultStage 2 (parquet at A.scala:1) has failed the maximum allowable number of times: 4. Most recent failure " +
		"reason:\norg.apache.spark.shuffle.FetchFailedException\n\tat org.apache.spark.errors.SparkCoreErrors$.fetchFailedError(" +
		"SparkCoreErrors.scala:439)\nCaused by: java.io.IOException: Failed to connect to /10.0.0.9:36091\n\tat " +
		"org.apache.spark.network.client.TransportClientFactory.createClient(TransportClientFactory.java:294)\n"
	const stage = "; stage 2 failed 4 times, as its tasks could not fetch the shuffle files of lost executors"
	for name, row := range map[string]struct{ log, says string }{
		"told by both":             {lost("1") + task("1", oom) + lost("2") + task("2", oom) + gaveUp, "2 executors were OOMKilled"},
		"the log begins after one": {task("1", oom) + task("1", oom) + lost("2") + task("2", oom) + gaveUp, "2 executors were OOMKilled"},
		"out of order":             {task("1", oom) + lost("1") + gaveUp, "executor 1 was OOMKilled"},
		"one that the driver ended": {task("1", "Executor killed by driver.\n") + lost("2") + task("2", oom) + gaveUp,
			"executor 2 was OOMKilled"},
	} {
		t.Run(name, func(t *testing.T) {
			found := logs.Causes(ended(1, row.log))
			require.Len(t, found, 1)
			require.Equal(t, cause.ClusterKilled, found[0].Class)
			require.Contains(t, said(found[0]), row.says)
			require.Contains(t, said(found[0]), stage)
		})
	}
	none := logs.Causes(ended(1, task("1", "Executor killed by driver.\n")+gaveUp))
	require.Len(t, none, 1)
	require.NotContains(t, said(none[0]), "executor 1")
}
