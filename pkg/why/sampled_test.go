package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExecutorsOfOlderReleases: Spark 2.4 names the executor of a task within the parentheses of its id.
func TestExecutorsOfOlderReleases(t *testing.T) {
	answerVariants(t, map[string]variant{
		"killed until a task had failed four times": {of: "unseen/885", class: "clusterKilled", says: []string{"OOMKilled"}},
	})
}

// TestExecutorsThatKeepBeingLost: a driver that runs gets no further where it loses executors for one reason that the catalogue knows.
func TestExecutorsThatKeepBeingLost(t *testing.T) {
	const reason = "Unable to create executor due to Unable to register with external shuffle server due to : "
	answerVariants(t, map[string]variant{
		"for one reason": {of: "unseen/889", class: "configuration", says: []string{"7337", "spark.shuffle.service.enabled"}},
		"none is known":  {of: "unseen/889", logs: []string{reason, "Remote RPC client gone, "}, class: "unknown"},
		"tasks went on": {of: "unseen/889", logs: []string{"26/03/04 09:30:18 ERROR TaskSchedulerImpl: Lost executor 14", "26/03/04 09:32:20 " +
			"INFO " +
			"TaskSetManager: Finished task 1.0 in stage 0.0 (TID 1) in 9 ms on 10.1.1.1 (executor 2) (2/9)\n" +
			"26/03/04 09:30:18 ERROR TaskSchedulerImpl: Lost executor 14"}, class: "runningNormally"},
	})
}

// TestDriversThatAreNoSpark: an entrypoint that starts another program as the driver; that of Spark makes a call of spark-submit.
func TestDriversThatAreNoSpark(t *testing.T) {
	answerVariants(t, map[string]variant{
		"the operator": {of: "unseen/905", class: "image", says: []string{"/usr/bin/spark-operator"}},
		"Spark": {of: "unseen/905", logs: []string{"/usr/bin/spark-operator driver ", "/opt/spark/bin/spark-submit --deploy-mode client "},
			class: "unknown"},
	})
}

// TestDriversNotLookedFor: only what is given up at once, with nothing of the driver seen, is not known to have run.
func TestDriversNotLookedFor(t *testing.T) {
	answerVariants(t, map[string]variant{
		"at once": {of: "unseen/909", class: "observerMissed", says: []string{"did not find driver pod", "7s after it was submitted"}},
		"its container started": {of: "unseen/909", objects: []string{"reason: Scheduled\n", "reason: Started\n"}, class: "unknown",
			says: []string{"may have succeeded"}},
	})
}

// TestReasonsToStop: what Spark's allocator of executors stops the driver for, and what a metastore answers in another protocol.
func TestReasonsToStop(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a claim for all executors": {of: "unseen/910", class: "configuration", says: []string{"tile-scratch", "OnDemand"}},
		"another": {of: "unseen/910", logs: []string{"PVC ClaimName: tile-scratch should contain OnDemand or SPARK_EXECUTOR_ID when requiring " +
			"multiple executors", "no such step"}, class: "unknown", says: []string{"no such step"}},
		"a metastore with TLS": {of: "unseen/924", class: "network", says: []string{"invalid status 21", "hive.metastore.use.SSL"}},
		"a metastore that is not there": {of: "unseen/924", logs: []string{"Invalid status 21", "java.net.ConnectException: Connection refused"},
			class: "network", not: []string{"another protocol"}},
		"a rerun that does not come": {of: "unseen/906", class: "unknown", says: []string{"PENDING_RERUN", "no driver pod"}},
	})
}

// TestOperatorsThatDoNotSubmit: what the operator's log says of an application that has no status.
func TestOperatorsThatDoNotSubmit(t *testing.T) {
	answerVariants(t, map[string]variant{
		"it may not": {of: "unseen/911", class: "credentials",
			says: []string{"podgroups.scheduling.volcano.sh", "cannot get resource"}},
		"it cannot decode another application": {of: "unseen/977", class: "configuration",
			says: []string{"cannot decode one of the applications that it lists", "SD5003"}},
		"it cannot list another kind": {of: "unseen/977", logs: []string{"*v1beta2.SparkApplication:", "*v1.Pod:"}, class: "unknown",
			says: []string{"has not written a status"}},
		"it may not list any": {of: "unseen/977", logs: []string{`v1beta2.SparkApplicationList.Items: []v1beta2.SparkApplication`,
			`sparkapplications is forbidden: User "system:serviceaccount:spark-operator:x" cannot list`}, class: "credentials"},
		"for another reason":         {of: "unseen/911", logs: []string{"is forbidden: User", "is not served to"}, class: "submission"},
		"of one whose name holds it": {of: "unseen/911", logs: []string{"spark-volcano-trial-pg", "spark-volcano-trial-2-pg"}, class: "unknown"},
		"a write that came too late": {of: "unseen/911", logs: []string{"is forbidden: User", "the object has been modified"}, class: "unknown"},
		"of another application": {of: "unseen/911", logs: []string{"spark-volcano-trial-pg", "spark-other-pg"}, class: "unknown",
			says: []string{"has not written a status"}},
	})
}

// TestJobsThatOutgrowTheirExecutors: executors that reach their memory limit one after another make a job slow; one that did was replaced.
func TestJobsThatOutgrowTheirExecutors(t *testing.T) {
	answerVariants(t, map[string]variant{
		"two of two": {of: "unseen/931", class: "slowButProgressing",
			says: []string{"2 executors failed before these, 2 of them OOMKilled", "executor.memoryOverhead"}},
		"for another reason": {of: "unseen/931", objects: []string{"reason: OOMKilled", "reason: Error", "exitCode: 137", "exitCode: 143"},
			class: "runningNormally"},
	})
}

// TestVariablesThatNeverArrived: every verdict names the variables of the spec that the driver's pod lacks.
func TestVariablesThatNeverArrived(t *testing.T) {
	also := func(v variant) string {
		f := v.open(t)
		return strings.Join(f.Also, "; ")
	}
	require.Contains(t, also(variant{of: "unseen/957"}), "of spec.driver.env, which the operator's webhook adds")
	require.NotContains(t, also(variant{of: "unseen/957", objects: []string{"env: &id001", "variables: &id001"}}), "spec.driver.env")
}

// TestRefusedConnections: a service that refuses how a client connects was reached.
func TestRefusedConnections(t *testing.T) {
	const says = "Public Key Retrieval is not allowed"
	answerVariants(t, map[string]variant{
		"MySQL's key": {of: "unseen/971", class: "configuration", says: []string{"allowPublicKeyRetrieval"}},
		"in other words": {of: "unseen/971", logs: []string{says, "Plain text login is not permitted"}, class: "configuration",
			says: []string{"how the client connects was refused"}},
		"a connection that fails": {of: "unseen/971", logs: []string{says, "Connection reset by peer"}, class: "network"},
	})
}

// TestEndsThatAreNotRecorded: an application that counts as running after its driver completed. An operator needs a moment for that, and a
// pod whose sidecar runs has not ended.
func TestEndsThatAreNotRecorded(t *testing.T) {
	const phase, ended = "phase: Succeeded", "finishedAt: '2026-04-03T05:02:29Z'"
	answerVariants(t, map[string]variant{
		"of a schedule": {of: "unseen/1005", class: "observerMissed", says: []string{"still RUNNING", "5h28m ago", "concurrencyPolicy Forbid"}},
		"which may overlap": {of: "unseen/1005", objects: []string{"concurrencyPolicy: Forbid", "concurrencyPolicy: Allow"},
			class: "observerMissed", not: []string{"concurrencyPolicy"}},
		"a moment ago":     {of: "unseen/1005", objects: []string{ended, "finishedAt: '2026-04-03T10:29:29Z'"}, class: "succeeded"},
		"its pod runs":     {of: "unseen/1005", objects: []string{phase, "phase: Running"}, class: "succeeded"},
		"it is recorded":   {of: "unseen/1005", objects: []string{"state: RUNNING", "state: COMPLETED"}, class: "succeeded"},
		"it did not do it": {of: "unseen/1005", objects: []string{"exitCode: 0", "exitCode: 3"}, class: "unknown"},
	})
}

// TestDriversWithoutAJob: that all its jobs are over is said of a driver that runs, and does not make it a failure.
func TestDriversWithoutAJob(t *testing.T) {
	answerVariants(t, map[string]variant{
		"idle": {of: "unseen/990", class: "runningNormally", says: []string{"its last job finished 49m ago, and none has begun since", "jstack"}},
		"it is at another job": {of: "unseen/990", logs: []string{"26/04/02 02:02:54 INFO BlockManagerInfo: Removed broadcast_5_piece0",
			"26/04/02 02:02:54 INFO SparkContext: Starting job: save at Close.scala:71"}, class: "runningNormally", not: []string{"none has begun"}},
		"its clients bring it jobs": {of: "unseen/990", objects: []string{"mainClass: ", "mainClass: org.apache.spark.sql.hive.thriftserver."},
			class: "runningNormally", not: []string{"none has begun"}},
	})
}

// TestRerunsForAChange: a rerun is for a change of the spec only where one was made lately.
func TestRerunsForAChange(t *testing.T) {
	const wrote = "time: '2026-07-15T10:43:57Z'"
	answerVariants(t, map[string]variant{
		"just now":             {of: "fresh/422", class: "stoppedByUser"},
		"its driver goes away": {of: "fresh/422", objects: []string{wrote, "time: '2026-07-15T09:05:57Z'"}, class: "stoppedByUser"},
		"long ago": {of: "fresh/422", objects: []string{wrote, "time: '2026-07-15T09:05:57Z'", "deletionTimestamp: ", "deletionNoted: "},
			class: "unknown"},
	})
}

// TestIdentitiesThatAreNotReached: why no identity was found is a part of the answer; a cluster elsewhere has no such service.
func TestIdentitiesThatAreNotReached(t *testing.T) {
	const host = "UnknownHostException: metadata.google.internal"
	answerVariants(t, map[string]variant{
		"its name does not resolve": {of: "unseen/1020", class: "credentials",
			says: []string{"before that it did not reach metadata.google.internal, which gives pods an identity (UnknownHostException)"}},
		"another name": {of: "unseen/1020", logs: []string{host, "UnknownHostException: metrics.example.net"}, class: "credentials",
			not: []string{"before that"}},
		"it answered": {of: "unseen/1020", logs: []string{host, "IllegalStateException: metadata.google.internal said 404"},
			class: "credentials", not: []string{"before that"}},
	})
}

// TestFileSystemsThatAreReadOnly: the pod says why Spark cannot write where its error does not.
func TestFileSystemsThatAreReadOnly(t *testing.T) {
	for name, c := range map[string]struct {
		objects []string
		says    bool
	}{
		"read-only": {nil, true},
		"writable":  {[]string{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"}, false},
	} {
		f := variant{of: "unseen/991", objects: c.objects}.open(t)
		require.Equal(t, "storage", string(f.Verdict().Class), name)
		also := strings.Join(f.Also, "; ")
		require.Equal(t, c.says, strings.Contains(also, "is read-only (securityContext.readOnlyRootFilesystem), and no volume"), name)
	}
}

// TestOperatorsThatWatchElsewhere: an operator that was not seen may watch the namespace, so that this is never certain of files.
func TestOperatorsThatWatchElsewhere(t *testing.T) {
	const flag = "- --namespaces=default\n"
	answerVariants(t, map[string]variant{
		"another namespace": {of: "unseen/1071", class: "configuration",
			says: []string{"no operator that was seen watches namespace market-basket", "spark.jobNamespaces={default,market-basket}"}},
		"this one":        {of: "unseen/1071", objects: []string{flag, "- --namespaces=default,market-basket\n"}, class: "unknown"},
		"all":             {of: "unseen/1071", objects: []string{flag, "- --namespaces=\n"}, class: "unknown"},
		"by their labels": {of: "unseen/1071", objects: []string{flag, "- --namespace-selector=spark=yes\n"}, class: "configuration"},
		"by labels of namespaces that were not seen": {of: "unseen/1071", objects: []string{flag, "- --namespace-selector=spark=yes\n",
			"kind: Namespace\n", "kind: NotANamespace\n"}, class: "unknown"},
		"it was just created": {of: "unseen/1071", objects: []string{"creationTimestamp: '2026-06-09T09:12:41Z'",
			"creationTimestamp: '2026-06-09T09:59:41Z'"}, class: "runningNormally"},
	})
}

// TestExecutorsThatAreWornOut: a driver that runs gets nowhere while memory ends its executors one after the other, unless jobs finish or
// most executors live.
func TestExecutorsThatAreWornOut(t *testing.T) {
	const lost, ended = "26/08/18 19:33:46 ERROR TaskSchedulerImpl: Lost executor 5 on", "termination reason: OOMKilled"
	answerVariants(t, map[string]variant{
		"at their limit": {of: "unseen/1055", class: "clusterKilled", says: []string{"4 executors were OOMKilled", "no job finishes"}},
		"a job finishes": {of: "unseen/1055", logs: []string{lost, "26/08/18 19:33:40 INFO DAGScheduler: Job 0 finished: count at T.scala:9, " +
			"took 9.1 s\n" + lost}, class: "slowButProgressing"},
		"of many": {of: "unseen/1055", logs: []string{"with ID 8,", "with ID 80,"}, class: "slowButProgressing"},
		"for another reason": {of: "unseen/1055", logs: []string{ended, "termination reason: Error",
			"exit code 137(SIGKILL, possible container OOM)", "exit code 1(unexpected)", "exit code: 137", "exit code: 1"},
			class: "slowButProgressing"},
	})
}

// TestWhatAWriteWasGivenUpFor: where an exception lacks its cause, the line before it tells the cause.
func TestWhatAWriteWasGivenUpFor(t *testing.T) {
	answerVariants(t, map[string]variant{
		"executors were lost": {of: "unseen/1059", class: "clusterKilled", says: []string{"4 executors were OOMKilled"}},
		"of another write": {of: "unseen/1059", logs: []string{"ERROR FileFormatWriter: Aborting job", "ERROR Other: Retrying job"},
			class: "unknown"},
		"it carries its cause": {of: "unseen/1059", logs: []string{"\tat net.example.transit.TripJoin.main(TripJoin.scala)\n",
			"\tat net.example.transit.TripJoin.main(TripJoin.scala)\nCaused by: java.lang.ArithmeticException: / by zero\n" +
				"\tat net.example.transit.Fare.of(Fare.scala:9)\n"}, class: "codeFailed", says: []string{"Fare.scala:9"}},
	})
}
