package casefile_test

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
