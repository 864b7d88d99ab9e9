package why_test

import (
	"strings"
	"testing"
)

// TestRunningIsNotYetWorking: pods that run say nothing of a job that gets no executors.
func TestRunningIsNotYetWorking(t *testing.T) {
	const registered = "26/07/07 06:38:25 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor " +
		"NettyRpcEndpointRef(spark-client://Executor) (10.202.26.104:1) with ID 3,  ResourceProfileId 0\n26/07/07 06:39:25 INFO " +
		"TaskSetManager: " +
		"Finished task 0.0 in stage 0.0 (TID 0) in 2389 ms on 10.202.26.104 (executor 3) (1/12)\n"
	const last = "26/07/07 06:18:45 WARN TaskSchedulerImpl: Initial job has not accepted any resources; check your cluster UI to " +
		"ensure that " +
		"workers are registered and have sufficient resources\n"
	answerVariants(t, map[string]variant{
		"they registered and finish tasks": {of: "012", logs: []string{last, last + registered}, class: "slowButProgressing"},
		"no policy, and they run for long": {of: "012", objects: []string{"kind: NetworkPolicy", "kind: " +
			"ConfigMap", "'2026-07-07T06:38:18Z'",
			"'2026-07-07T06:20:18Z'"}, logs: []string{last, strings.Replace(last, "06:18:45", "06:39:45", 1)}, class: "network",
			says: []string{"registered", "7078"}},
		"no policy, and the complaint is old": {of: "012", objects: []string{"kind: NetworkPolicy", "kind: " +
			"ConfigMap", "'2026-07-07T06:38:18Z'",
			"'2026-07-07T06:20:18Z'"}, class: "network", not: []string{"none has registered"}},
	})
}

// TestExecutorsThatEndBeforeTheyWork: their logs tell why, though the driver runs and some reported to it; where tasks finish, others do
// their work, and why these fail stands behind that.
func TestExecutorsThatEndBeforeTheyWork(t *testing.T) {
	const lost = "INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Disabling executor 1."
	const done = "INFO TaskSetManager: Finished task 3.0 in stage 0.0 (TID 3) in 15000 ms on 10.88.6.41 (executor 1) (1/8)"
	const taken = "was less than the minimum allocation of"
	answerVariants(t, map[string]variant{
		"no task finished": {of: "1191", class: "configuration", says: []string{"the GPU lacks free memory", "3777.5 MB"}},
		"one did": {of: "1191", logs: []string{lost, done}, class: "slowButProgressing",
			says: []string{"8 other executors failed; the GPU lacks free memory"}},
		"for another reason": {of: "1191", logs: []string{taken, "is not what was asked for, which is"}, class: "unknown",
			not: []string{"GPU lacks"}},
	})
}

// TestExecutorsOfWhichTheDriverWasTold: their pods are gone, and the driver's log knows what ended them.
func TestExecutorsOfWhichTheDriverWasTold(t *testing.T) {
	answerVariants(t, map[string]variant{
		"killed for memory": {of: "1101", class: "slowButProgressing",
			says: []string{"by the driver's log 2 executors were OOMKilled", "without 5g off-heap, which Spark counts since 3.1"}},
		"since 3.1 it is in the limit": {of: "1101", objects: []string{"sparkVersion: 2.4.5", "sparkVersion: 3.5.1"},
			class: "slowButProgressing", not: []string{"without 5g off-heap"}},
		"it was told nothing": {of: "1101", logs: []string{"exit code 137", "exit code 1", "reason=OOMKilled", "reason=Error"},
			class: "slowButProgressing", says: []string{"and their pods are gone"}, not: []string{"by the driver's log"}},
	})
}

// TestExecutorsThatCommit: the driver was told only that it was deleted; the event about just that executor tells who did it. What failed
// in a commit for another reason lost no executor.
func TestExecutorsThatCommit(t *testing.T) {
	const evicted = "exec-9\n  namespace"
	answerVariants(t, map[string]variant{
		"Karpenter evicted it": {of: "1509", class: "clusterKilled", says: []string{"executor 9 was lost", "node drain by karpenter"}},
		"it evicted another": {of: "1509", objects: []string{evicted, "exec-8\n  namespace"}, class: "clusterKilled",
			says: []string{"executor 9 was lost"}, not: []string{"karpenter"}},
		"the commit failed": {of: "1509", logs: []string{"reason=ExecutorLostFailure(9,false,Some(The executor with id 9 was deleted by a " +
			"user or the framework.))", "reason=ExceptionFailure(java.io.IOException,Failed to rename part-00131)"}, class: "unknown",
			not: []string{"was lost while its task"}},
	})
}

// TestExecutorsOfOlderReleases: Spark 2.4 names the executor of a task within the parentheses of its id.
func TestExecutorsOfOlderReleases(t *testing.T) {
	answerVariants(t, map[string]variant{
		"killed until a task had failed four times": {of: "885", class: "clusterKilled", says: []string{"OOMKilled"}},
	})
}

// TestExecutorsThatKeepBeingLost: a driver that runs gets no further where it loses executors for one reason that the catalogue knows.
func TestExecutorsThatKeepBeingLost(t *testing.T) {
	const reason = "Unable to create executor due to Unable to register with external shuffle server due to : "
	answerVariants(t, map[string]variant{
		"for one reason": {of: "889", class: "configuration", says: []string{"7337", "spark.shuffle.service.enabled"}},
		"none is known":  {of: "889", logs: []string{reason, "Remote RPC client gone, "}, class: "unknown"},
		"tasks went on": {of: "889", logs: []string{"26/03/04 09:30:18 ERROR TaskSchedulerImpl: Lost executor 14", "26/03/04 09:32:20 " +
			"INFO " +
			"TaskSetManager: Finished task 1.0 in stage 0.0 (TID 1) in 9 ms on 10.1.1.1 (executor 2) (2/9)\n" +
			"26/03/04 09:30:18 ERROR TaskSchedulerImpl: Lost executor 14"}, class: "runningNormally"},
	})
}

// TestJobsThatOutgrowTheirExecutors: executors that reach their memory limit one after another make a job slow; one that did was replaced.
func TestJobsThatOutgrowTheirExecutors(t *testing.T) {
	answerVariants(t, map[string]variant{
		"two of two": {of: "931", class: "slowButProgressing",
			says: []string{"2 other executors failed, 2 of them OOMKilled", "executor.memoryOverhead"}},
		"for another reason": {of: "931", objects: []string{"reason: OOMKilled", "reason: Error", "exitCode: 137", "exitCode: 143"},
			class: "runningNormally"},
	})
}

// TestExecutorsThatAreWornOut: a driver that runs gets nowhere while memory ends its executors one after the other, unless jobs finish or
// most executors live.
func TestExecutorsThatAreWornOut(t *testing.T) {
	const lost, ended = "26/08/18 19:33:46 ERROR TaskSchedulerImpl: Lost executor 5 on", "termination reason: OOMKilled"
	answerVariants(t, map[string]variant{
		"at their limit": {of: "1055", class: "clusterKilled", says: []string{"4 executors were OOMKilled", "no job finishes"}},
		"a job finishes": {of: "1055", logs: []string{lost, "26/08/18 19:33:40 INFO DAGScheduler: Job 0 finished: count at T.scala:9, " +
			"took 9.1 s\n" + lost}, class: "slowButProgressing"},
		"of many": {of: "1055", logs: []string{"with ID 8,", "with ID 80,"}, class: "slowButProgressing"},
		"for another reason": {of: "1055", logs: []string{ended, "termination reason: Error",
			"exit code 137(SIGKILL, possible container OOM)", "exit code 1(unexpected)", "exit code: 137", "exit code: 1"},
			class: "slowButProgressing"},
	})
}

// TestExecutorsThatTheLogBlames: the case file gives the whole reason why executors ended where the driver gave the job up for them.
func TestExecutorsThatTheLogBlames(t *testing.T) {
	answerVariants(t, map[string]variant{
		"evicted": {of: "779", class: "clusterKilled", says: []string{"ephemeral-storage", "was using 41893412Ki"}},
		"others were lost": {of: "779", logs: []string{"Lost executor 2 on", "Lost executor 12 on", "Lost executor 3 on",
			"Lost executor 13 on", "ExecutorLostFailure (executor 2 ", "ExecutorLostFailure (executor 12 ",
			"ExecutorLostFailure (executor 3 ", "ExecutorLostFailure (executor 13 "}, class: "clusterKilled", not: []string{"ephemeral-storage"}},
	})
}
