package why_test

import "testing"

// TestNodesThatHadToGo: only an event that tells that the pod was deleted for its node is a drain.
func TestNodesThatHadToGo(t *testing.T) {
	answerVariants(t, map[string]variant{
		"deleted for the node": {of: "unseen/857", class: "clusterKilled", says: []string{"karpenter", "NodePool"},
			not: []string{"annotate the driver"}},
		"Karpenter could not": {of: "unseen/857", objects: []string{"reason: Disrupted\n", "reason: DisruptionBlocked\n"}, class: "unknown"},
	})
}

// TestNodesThatDoNotCome: an autoscaler that tried and failed adds no node; one that tries again may.
func TestNodesThatDoNotCome(t *testing.T) {
	const failed = "reason: FailedScaleUp\n"
	answerVariants(t, map[string]variant{
		"the cloud has none": {of: "unseen/859", class: "scheduling", says: []string{"GCE out of resources", "zone, quota, machine type"}},
		"it waits after a failure": {of: "unseen/859", objects: []string{failed, "reason: Other\n"}, class: "scheduling",
			says: []string{"in backoff after failed scale-up"}},
		"it tries again": {of: "unseen/859", objects: []string{"lastTimestamp: '2026-05-19T13:37:10Z'", "lastTimestamp: '2026-05-19T13:43:00Z'"},
			class: "slowButProgressing"},
	})
}

// TestConfigMapOfTheDriver: that spark-submit did not make it is only an effect where the submission failed.
func TestConfigMapOfTheDriver(t *testing.T) {
	const name = "spark-drv-ca2d79bba6fa04d4-conf-map"
	answerVariants(t, map[string]variant{
		"spark-submit failed": {of: "unseen/861", class: "submission", says: []string{name,
			"submission failed: java.net.SocketTimeoutException: timeout; it left pod rate-import-driver"}},
		"another ConfigMap is missing": {of: "unseen/861", objects: []string{name, "etl-settings", "state: FAILED\n    errorMessage:",
			"state: SUBMITTED\n    warning:", "reason: SparkApplicationSubmissionFailed", "reason: Other", "reason: SparkApplicationFailed",
			"reason: Other"}, class: "configuration", says: []string{"etl-settings"}},
	})
}

// TestWhatALibraryAsksFor: a library that cannot be set up names a setting; the application itself may say the same of its data.
func TestWhatALibraryAsksFor(t *testing.T) {
	const raises = "\tat org.apache.iceberg.relocated.com.google.common.base.Preconditions.checkArgument(Preconditions.java:143)\n"
	answerVariants(t, map[string]variant{
		"a catalog of Iceberg": {of: "unseen/871", class: "configuration", says: []string{"warehousePath"}},
		"the application": {of: "unseen/871", logs: []string{raises, "\tat net.example.orders.LoadOrders$.check(LoadOrders.scala:91)\n"},
			class: "codeFailed", says: []string{"LoadOrders.scala:91"}},
		"of a value": {of: "unseen/871", logs: []string{"Cannot initialize HadoopCatalog because warehousePath must not be null or empty",
			"Column name must not be null or empty"}, class: "codeFailed"},
	})
}

// TestWhatADriverIsAt: which stage runs is said while it does.
func TestWhatADriverIsAt(t *testing.T) {
	const begins = "26/04/15 02:00:31 INFO TaskSetManager: Starting task 0.0 in stage 0.0 (TID 0)"
	ends := "26/04/15 02:20:31 INFO TaskSetManager: Finished task 0.0 in stage 0.0 (TID 0) in 1200000 ms on 10.77.2.6 (executor 2) (1/1)\n"
	answerVariants(t, map[string]variant{
		"one task": {of: "unseen/880", class: "runningNormally",
			says: []string{"stage 0 (parquet at InvoicePull.java:49): 0 of 1 task finished in 45m"}},
		"it is over": {of: "unseen/880", logs: []string{begins, ends + begins}, class: "runningNormally", not: []string{"stage 0"}},
		"another stage finished tasks": {of: "unseen/880", logs: []string{begins, "26/04/15 02:20:31 INFO TaskSetManager: Finished task 3.0 in " +
			"stage 7.0 (TID 9) in 12 ms on 10.77.2.6 (executor 2) (4/9)\n" + begins}, class: "runningNormally", not: []string{"stage"}},
	})
}
