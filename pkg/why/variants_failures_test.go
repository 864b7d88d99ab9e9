package why_test

import "testing"

// TestWhatATaskToldIsTheCause: a job is given up with less than its task told, in the words of several releases.
func TestWhatATaskToldIsTheCause(t *testing.T) {
	const wrapper = "org.apache.spark.SparkException: Writing job aborted\n"
	answerVariants(t, map[string]variant{
		"job aborted": {of: "073", logs: []string{wrapper, "org.apache.spark.SparkException: Job aborted.\n"}, class: "configuration",
			says: []string{"no AWS region"}},
		"error class of 3.4": {of: "073", logs: []string{wrapper, "org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed " +
			"while writing rows to s3://lake/orders.\n"}, class: "configuration", says: []string{"no AWS region", "orders_merge"}},
		"another exception is not retold": {of: "073", logs: []string{wrapper, "java.lang.IllegalStateException: two writers\n"},
			class: "codeFailed", says: []string{"two writers"}, not: []string{"region"}},
		"tasks of another job were survived": {of: "073", logs: []string{
			"26/05/09 09:50:52 ERROR AppendDataExec: Data source write support IcebergBatchWrite(table=lake.sales.orders, format=PARQUET) is " +
				"aborting.",
			"26/05/09 09:50:52 INFO SparkContext: Starting job: append at orders_merge.py:44"}, class: "unknown", not: []string{"region"}},
	})
}

// TestWhatAWriteWasGivenUpFor: where an exception lacks its cause, the line before it tells the cause.
func TestWhatAWriteWasGivenUpFor(t *testing.T) {
	answerVariants(t, map[string]variant{
		"executors were lost": {of: "1059", class: "clusterKilled", says: []string{"4 executors were OOMKilled"}},
		"of another write": {of: "1059", logs: []string{"ERROR FileFormatWriter: Aborting job", "ERROR Other: Retrying job"},
			class: "unknown"},
		"it carries its cause": {of: "1059", logs: []string{"\tat net.example.transit.TripJoin.main(TripJoin.scala)\n",
			"\tat net.example.transit.TripJoin.main(TripJoin.scala)\nCaused by: java.lang.ArithmeticException: / by zero\n" +
				"\tat net.example.transit.Fare.of(Fare.scala:9)\n"}, class: "codeFailed", says: []string{"Fare.scala:9"}},
	})
}

// TestApplicationsEndThemselves: what the application wrote last is why it ended itself, if the application wrote it.
func TestApplicationsEndThemselves(t *testing.T) {
	const one = "26/09/01 04:01:01 ERROR Gate: rule invoices.customer_exists: FAIL (8842 of 1204331 rows, threshold 0.1%)\n"
	const two = "26/09/01 04:01:02 ERROR Gate: 1 of 3 rules failed for partition dt=2026-08-31; refusing to publish\n"
	answerVariants(t, map[string]variant{
		"a logger of Python": {of: "452", logs: []string{one + two,
			"2026-09-01 04:01:02,114 - dq.gate - ERROR - 8842 of 1204331 rows have no customer, " +
				"exiting\n"}, class: "codeFailed", says: []string{"8842"}},
		"a name before the level": {of: "452", logs: []string{one + two, "2026-09-01 04:01:02,114 dq_gate ERROR 8842 rows have no " +
			"customer\n"},
			class: "codeFailed", says: []string{"8842"}},
		"printed": {of: "452", logs: []string{one + two, "Quality check failed: 8842 rows have no customer. " +
			"Exiting.\n"}, class: "codeFailed",
			says: []string{"8842"}},
		"logback with the package": {of: "452", logs: []string{one + two,
			"04:01:02.114 [main] ERROR net.example.dq.Gate - 8842 rows have no customer\n"}, class: "codeFailed", says: []string{"8842"}},
		"printed, and no complaint": {of: "452", logs: []string{one + two, "processed 1204331 rows\n"}, class: "unknown"},
		"Spark said it": {of: "452", logs: []string{one + two, "26/09/01 04:01:02 ERROR TransportRequestHandler: Error sending result\n"},
			class: "unknown"},
		"Spark said it, and its name is cut": {of: "452", logs: []string{one + two,
			"26/09/01 04:01:02 ERROR scheduler.cluster.TaskSchedulerImpl: Lost executor 1 on 10.0.0.1: failed\n"}, class: "unknown"},
		"Hadoop said it": {of: "452", logs: []string{one + two,
			"26/09/01 04:01:02 ERROR org.apache.hadoop.util.Shell: Failed to locate the binary\n"}, class: "unknown"},
	})
}

// TestHandlersAreNotTheCause: what the application met while it handled a job that was given up comes after the job, and what it found
// for itself stands.
func TestHandlersAreNotTheCause(t *testing.T) {
	const counts = "IllegalStateException: run 2026-03-31 finished with 1 failed and 2 skipped steps"
	const begins = "26/04/01 02:15:45 WARN Revaluation: step convert failed"
	answerVariants(t, map[string]variant{
		"a handler of Python": {of: "765", class: "clusterKilled", says: []string{"OOMKilled"}, not: []string{"chat-hooks"}},
		"it does not say that it handled another": {of: "765", logs: []string{
			"py4j.protocol.Py4JJavaError: An error occurred while calling o88.save.\n\nDuring handling of the above exception, another exception " +
				"occurred:\n\n", "NameError: name 'x' is not defined\n\n"}, class: "clusterKilled", says: []string{"OOMKilled"}},
		"the words of the application count what failed": {of: "780", class: "codeFailed", says: []string{"no rate for XPF"}},
		"in another sentence": {of: "780", logs: []string{counts, "RuntimeException: job revaluation of 2026-03-31 has failed"},
			class: "codeFailed", says: []string{"no rate for XPF"}},
		"its words are of something else": {of: "780", logs: []string{counts, "IllegalStateException: no positions for 2026-03-31"},
			class: "codeFailed", says: []string{"no positions for 2026-03-31"}},
		"another job began": {of: "780", logs: []string{begins,
			"26/04/01 02:15:45 INFO SparkContext: Starting job: count at Revaluation.scala:60\n" + begins}, class: "codeFailed",
			says: []string{"1 failed and 2 skipped"}},
	})
}

// TestClassThatCouldNotBeInitialized: only its first use says why, in the log of the same process and with the class in its frames.
func TestClassThatCouldNotBeInitialized(t *testing.T) {
	const begins = "\tat org.apache.spark.rdd.RDDOperationScope$.<clinit>(RDDOperationScope.scala)\n"
	answerVariants(t, map[string]variant{
		"an earlier try": {of: "796", class: "dependency", says: []string{"Found jackson-databind version 2.15.2"}},
		"of another class": {of: "796", logs: []string{begins, "\tat org.apache.spark.ui.Page$.<clinit>(Page.scala)\n"},
			class: "dependency", not: []string{"jackson"}},
	})
}

// TestWhatALibraryAsksFor: a library that cannot be set up names a setting; the application itself may say the same of its data.
func TestWhatALibraryAsksFor(t *testing.T) {
	const known = "Cannot initialize HadoopCatalog because warehousePath must not be null or empty"
	const other = "Cannot initialize Feed because feedPath must not be null or empty"
	const raises = "\tat org.apache.iceberg.relocated.com.google.common.base.Preconditions.checkArgument(Preconditions.java:143)\n"
	answerVariants(t, map[string]variant{
		"a catalog of Iceberg": {of: "871", class: "configuration", says: []string{"Iceberg catalog", "warehouse"}},
		"another library":      {of: "871", logs: []string{known, other}, class: "configuration", says: []string{"feedPath"}},
		"the application": {of: "871", logs: []string{known, other, raises, "\tat net.example.orders.LoadOrders$.check(LoadOrders.scala:91)\n"},
			class: "codeFailed", says: []string{"LoadOrders.scala:91"}},
		"of a value": {of: "871", logs: []string{known,
			"Column name must not be null or empty"}, class: "codeFailed"},
	})
}

// TestValuesThatClientsMiss: a client that is made without a value names it; what reads data or is the job's own has a bug.
func TestValuesThatClientsMiss(t *testing.T) {
	const wrapped = "Unable to load OAuth token provider class.java.lang.NullPointerException: clientSecret"
	const by = "org.apache.hadoop.fs.azurebfs.oauth2.ClientCredsTokenProvider.<init>(ClientCredsTokenProvider.java:50)"
	const bare = "org.apache.spark.SparkException: Exception thrown in awaitResult: "
	answerVariants(t, map[string]variant{
		"the catalogue knows": {of: "1125", class: "configuration", says: []string{"OAuth token provider", "clientSecret"}},
		"its name tells": {of: "1125", logs: []string{wrapped, bare}, class: "configuration",
			says: []string{"ClientCredsTokenProvider was not given a value that it needs", "clientSecret"}},
		"a reader of data": {of: "1125", logs: []string{wrapped, bare, by, "org.apache.parquet.schema.PrimitiveType.<init>(P.java:1)"},
			class: "codeFailed"},
		"a method": {of: "1125", logs: []string{wrapped, bare, by, "org.apache.hadoop.fs.azurebfs.Other.call(Other.java:50)"},
			class: "unknown", not: []string{"was not given"}},
	})
}

// TestReasonsToStop: what Spark's allocator of executors stops the driver for, and what a metastore answers in another protocol.
func TestReasonsToStop(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a claim for all executors": {of: "910", class: "configuration", says: []string{"tile-scratch", "OnDemand"}},
		"another": {of: "910", logs: []string{"PVC ClaimName: tile-scratch should contain OnDemand or SPARK_EXECUTOR_ID when requiring " +
			"multiple executors", "no such step"}, class: "unknown", says: []string{"no such step"}},
		"a metastore with TLS": {of: "924", class: "network", says: []string{"invalid status 21", "hive.metastore.use.SSL"}},
		"a metastore that is not there": {of: "924", logs: []string{"Invalid status 21", "java.net.ConnectException: Connection refused"},
			class: "network", not: []string{"another protocol"}},
		"a rerun that does not come": {of: "906", class: "unknown", says: []string{"PENDING_RERUN", "no driver pod"}},
	})
}
