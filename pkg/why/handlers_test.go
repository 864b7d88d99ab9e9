package why_test

import "testing"

// TestHandlersAreNotTheCause: what the application met while it handled a job that was given up comes after the job, and what it found
// for itself stands.
func TestHandlersAreNotTheCause(t *testing.T) {
	const counts = "IllegalStateException: run 2026-03-31 finished with 1 failed and 2 skipped steps"
	const begins = "26/04/01 02:15:45 WARN Revaluation: step convert failed"
	answerVariants(t, map[string]variant{
		"a handler of Python": {of: "unseen/765", class: "clusterKilled", says: []string{"OOMKilled"}, not: []string{"chat-hooks"}},
		"it does not say that it handled another": {of: "unseen/765", logs: []string{
			"py4j.protocol.Py4JJavaError: An error occurred while calling o88.save.\n\nDuring handling of the above exception, another exception " +
				"occurred:\n\n", "NameError: name 'x' is not defined\n\n"}, class: "clusterKilled", says: []string{"OOMKilled"}},
		"the words of the application count what failed": {of: "unseen/780", class: "codeFailed", says: []string{"no rate for XPF"}},
		"in another sentence": {of: "unseen/780", logs: []string{counts, "RuntimeException: job revaluation of 2026-03-31 has failed"},
			class: "codeFailed", says: []string{"no rate for XPF"}},
		"its words are of something else": {of: "unseen/780", logs: []string{counts, "IllegalStateException: no positions for 2026-03-31"},
			class: "codeFailed", says: []string{"no positions for 2026-03-31"}},
		"another job began": {of: "unseen/780", logs: []string{begins,
			"26/04/01 02:15:45 INFO SparkContext: Starting job: count at Revaluation.scala:60\n" + begins}, class: "codeFailed",
			says: []string{"1 failed and 2 skipped"}},
	})
}

// TestMetastoreThatFailsItself: its client hands on what the metastore met, and only then it is about the metastore.
func TestMetastoreThatFailsItself(t *testing.T) {
	const received = "\tat org.apache.thrift.TServiceClient.receiveBase(TServiceClient.java:88)\n"
	answerVariants(t, map[string]variant{
		"received": {of: "unseen/776", class: "dependency", says: []string{"the Hive metastore itself failed", "where the metastore runs"}},
		"raised in the driver": {of: "unseen/776", logs: []string{received, ""},
			class: "dependency", says: []string{"hadoop-aws"}, not: []string{"metastore itself"}},
	})
}

// TestExecutorsThatTheLogBlames: the case file gives the whole reason why executors ended where the driver gave the job up for them.
func TestExecutorsThatTheLogBlames(t *testing.T) {
	answerVariants(t, map[string]variant{
		"evicted": {of: "unseen/779", class: "clusterKilled", says: []string{"ephemeral-storage", "was using 41893412Ki"}},
		"others were lost": {of: "unseen/779", logs: []string{"Lost executor 2 on", "Lost executor 12 on", "Lost executor 3 on",
			"Lost executor 13 on"}, class: "clusterKilled", not: []string{"ephemeral-storage"}},
	})
}

// TestSilentDrivers: a driver that waits in silence between two jobs is not said to run normally.
func TestSilentDrivers(t *testing.T) {
	const last = "26/06/15 03:12:09 INFO BlockManagerInfo: Removed broadcast_4_piece0 on 10.12.9.8"
	server := []string{"mainClass: ", "mainClass: org.apache.spark.sql.hive.thriftserver.HiveThriftServer2 # "}
	answerVariants(t, map[string]variant{
		"for two hours": {of: "unseen/788", class: "unknown", says: []string{"has written nothing for 132m", "jstack"}},
		"for ten minutes": {of: "unseen/788", logs: []string{last, "26/06/15 05:15:00 INFO BlockManagerInfo: Removed broadcast_4_piece0 on " +
			"10.12.9.8"}, class: "runningNormally"},
		"a job is at work": {of: "unseen/788", logs: []string{last, "26/06/15 03:12:09 INFO SparkContext: Starting job: x\n" + last},
			class: "runningNormally"},
		"it prints":                  {of: "unseen/788", logs: []string{last, last + "x\npublished 3 of 90\n"}, class: "runningNormally"},
		"a server waits for clients": {of: "unseen/788", objects: server, class: "runningNormally"},
		"its lines of level INFO were not seen": {of: "unseen/788", logs: []string{"", "26/06/15 03:12:09 WARN X: y\n"},
			class: "runningNormally"},
	})
}

// TestScheduleThatIsNotAccepted: it starts no run, however well its last one went. A run that failed is asked about first.
func TestScheduleThatIsNotAccepted(t *testing.T) {
	answerVariants(t, map[string]variant{
		"after a run that went well": {of: "unseen/810", class: "configuration", says: []string{"expected exactly 5 fields"}},
		"accepted":                   {of: "unseen/810", objects: []string{"FailedValidation", "Scheduled"}, class: "succeeded"},
		"after a run that failed": {of: "unseen/810", objects: []string{"state: COMPLETED", "state: FAILED", "exitCode: 0", "exitCode: 137",
			"reason: Completed", "reason: OOMKilled", "phase: Succeeded", "phase: Failed"}, class: "clusterKilled", says: []string{"OOMKilled"}},
	})
}

// TestClassThatCouldNotBeInitialized: only its first use says why, in the log of the same process and with the class in its frames.
func TestClassThatCouldNotBeInitialized(t *testing.T) {
	const begins = "\tat org.apache.spark.rdd.RDDOperationScope$.<clinit>(RDDOperationScope.scala)\n"
	answerVariants(t, map[string]variant{
		"an earlier try": {of: "unseen/796", class: "dependency", says: []string{"Found jackson-databind version 2.15.2"}},
		"of another class": {of: "unseen/796", logs: []string{begins, "\tat org.apache.spark.ui.Page$.<clinit>(Page.scala)\n"},
			class: "dependency", not: []string{"jackson"}},
	})
}
