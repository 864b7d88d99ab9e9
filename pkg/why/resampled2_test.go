package why_test

import "testing"

// TestConnectionsThatTheAPIServerEnds: a driver that starts follows from nothing; with HTTP/2 on Java 8 it is its client.
func TestConnectionsThatTheAPIServerEnds(t *testing.T) {
	const begins = "okhttp3.internal.http2.Http2Connection.start"
	answerVariants(t, map[string]variant{
		"as HTTP/2 begins": {of: "unseen/1127", class: "dependency", says: []string{"HTTP/2", "Java 8u251"}},
		"otherwise": {of: "unseen/1127", logs: []string{begins, "okhttp3.internal.http1.Http1Codec.write"}, class: "network",
			says: []string{"API server ended the driver's connection"}, not: []string{"HTTP/2"}},
		"of another server": {of: "unseen/1127", logs: []string{"io.fabric8.kubernetes.client.KubernetesClientException: Operation",
			"net.example.StoreException: Operation"}, class: "unknown"},
	})
}

// TestValuesThatClientsMiss: a client that is made without a value names it; what reads data or is the job's own has a bug.
func TestValuesThatClientsMiss(t *testing.T) {
	const wrapped = "Unable to load OAuth token provider class.java.lang.NullPointerException: clientSecret"
	const by = "org.apache.hadoop.fs.azurebfs.oauth2.ClientCredsTokenProvider.<init>(ClientCredsTokenProvider.java:50)"
	const bare = "org.apache.spark.SparkException: Exception thrown in awaitResult: "
	answerVariants(t, map[string]variant{
		"the catalogue knows": {of: "unseen/1125", class: "configuration", says: []string{"OAuth token provider", "clientSecret"}},
		"its name tells": {of: "unseen/1125", logs: []string{wrapped, bare}, class: "configuration",
			says: []string{"ClientCredsTokenProvider was not given a value that it needs", "clientSecret"}},
		"a reader of data": {of: "unseen/1125", logs: []string{wrapped, bare, by, "org.apache.parquet.schema.PrimitiveType.<init>(P.java:1)"},
			class: "codeFailed"},
		"a method": {of: "unseen/1125", logs: []string{wrapped, bare, by, "org.apache.hadoop.fs.azurebfs.Other.call(Other.java:50)"},
			class: "unknown", not: []string{"was not given"}},
	})
}

// TestServersThatDoNotAnswer: which server it was is said, though an exception above the root names it.
func TestServersThatDoNotAnswer(t *testing.T) {
	answerVariants(t, map[string]variant{
		"by its class": {of: "unseen/1135", class: "network", says: []string{"the exception names clicks-clickhouse.adstats.svc:9440"}},
		"by its words": {of: "unseen/1135", logs: []string{"NoHttpResponseException", "StoreException"}, class: "network",
			says: []string{"failed to respond", "9440"}},
		"an answer": {of: "unseen/1135", logs: []string{"NoHttpResponseException", "StoreException", "The target server failed to respond",
			"Code 60"}, class: "unknown"},
	})
}

// TestDriversThatASubmissionLeft: spark-submit made the pod and ended before it made its ConfigMap.
func TestDriversThatASubmissionLeft(t *testing.T) {
	answerVariants(t, map[string]variant{
		"without its ConfigMap": {of: "unseen/1124", class: "submission", says: []string{"SIGKILL", "it left pod feature-refresh-driver",
			"spark-drv-bd346e59b2e3cc7e-conf-map"}},
		"the mount is not told": {of: "unseen/1124", objects: []string{"reason: FailedMount", "reason: Other"}, class: "submission",
			not: []string{"it left pod"}},
	})
}

// TestStagesOfWhichNoTaskFinishes: they wait or are long, and nothing tells which; one task may be as long as it likes.
func TestStagesOfWhichNoTaskFinishes(t *testing.T) {
	answerVariants(t, map[string]variant{
		"none of many": {of: "unseen/1167", class: "unknown", says: []string{"no task of stage 0", "0 of 150 tasks finished"}},
		"one did": {of: "unseen/1167", logs: []string{"", "26/05/14 09:00:00 INFO SparkContext: Running Spark version 3.5.1\n" +
			"26/05/14 09:00:33 INFO DAGScheduler: Submitting 150 missing tasks from ResultStage 0 (MapPartitionsRDD[1] at parquet at " +
			"OrdersToLake.scala:64) (first 15 tasks are for partitions Vector(0, 1))\n26/05/14 09:30:33 INFO TaskSetManager: Finished task 3.0 in " +
			"stage 0.0 (TID 3) in 1800000 ms on 10.1.1.1 (executor 2) (1/150)\n"}, class: "runningNormally"},
	})
}

// TestOperatorsThatCrash: nothing is submitted while they do; one that runs may just not have got to it.
func TestOperatorsThatCrash(t *testing.T) {
	answerVariants(t, map[string]variant{
		"again and again": {of: "unseen/1151", class: "configuration", says: []string{"operator does not run", "CrashLoopBackOff"}},
		"it starts":       {of: "unseen/1151", objects: []string{"reason: CrashLoopBackOff", "reason: ContainerCreating"}, class: "unknown"},
	})
}

// TestShuffleThatCelebornLost: the worker that did not answer is named by an exception before.
func TestShuffleThatCelebornLost(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a worker": {of: "unseen/1156", class: "network", says: []string{"Celeborn", "celeborn-worker-2"}},
		"none is named": {of: "unseen/1156", logs: []string{"Failed to connect to celeborn-worker-2", "Failed at", "Connection refused",
			"Over", ".svc.cluster.local/10.72.9.33:38811", ""}, class: "network", not: []string{"celeborn-worker-2"}},
	})
}

// TestSpecsThatAreNotRunAgain: an operator 1.x says which change it took a run down for.
func TestSpecsThatAreNotRunAgain(t *testing.T) {
	const changed = "SparkApplicationSpecUpdateProcessed"
	answerVariants(t, map[string]variant{
		"twice": {of: "unseen/1172", class: "stoppedByUser", says: []string{"the spec was changed while it ran (2 times", "PENDING_RERUN"}},
		"not":   {of: "unseen/1172", objects: []string{changed, "SparkApplicationOther"}, class: "unknown", says: []string{"PENDING_RERUN"}},
	})
}

// TestAPIServersThatAreNotReached are named; another server is not taken for it.
func TestAPIServersThatAreNotReached(t *testing.T) {
	const client = "io.fabric8.kubernetes.client.KubernetesClientException: Operation: [get]"
	answerVariants(t, map[string]variant{
		"its client says so": {of: "unseen/1173", class: "network", says: []string{"the Kubernetes API server cannot be reached",
			"connect timed out"}},
		"another does": {of: "unseen/1173", logs: []string{client, "net.example.StoreException: Operation: [get]"}, class: "network",
			not: []string{"API server"}},
	})
}
