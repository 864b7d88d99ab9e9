package why_test

import "testing"

// TestWhatStandsBehindASecret: the ExternalSecret that should make it says why it did not. One that made it, whose Secret was deleted
// since, is not why, nor is one that makes another.
func TestWhatStandsBehindASecret(t *testing.T) {
	const ready, target = "    reason: SecretSyncedError\n    status: 'False'", "    deletionPolicy: Retain\n    name: kyc-oracle-credentials"
	answerVariants(t, map[string]variant{
		"it could not": {of: "1716", class: "credentials", says: []string{"ExternalSecret kyc-oracle-credentials", "403 permission denied"}},
		"no event is left": {of: "1716", objects: []string{"reason: UpdateFailed", "reason: Other"}, class: "configuration",
			says: []string{"could not get secret data from provider"}},
		"it did": {of: "1716", objects: []string{ready, "    reason: SecretSynced\n    status: 'True'"}, class: "configuration",
			not: []string{"ExternalSecret"}},
		"it makes another": {of: "1716", objects: []string{target, "    deletionPolicy: Retain\n    name: kyc-oracle"}, class: "configuration",
			not: []string{"ExternalSecret"}},
	})
}

// TestWhatAnAutoscalerMayAdd: a NodePool at its limit is why executors wait. One with room for a node is not said to be, nor one of which
// an autoscaler said that it adds a node.
func TestWhatAnAutoscalerMayAdd(t *testing.T) {
	answerVariants(t, map[string]variant{
		"at its limit": {of: "1708", class: "slowButProgressing", says: []string{"NodePool spark-exec may have 40 CPU and has 32",
			"raise spec.limits.cpu of NodePool spark-exec above 40"}},
		"with room for one": {of: "1708", objects: []string{"    cpu: '40'", "    cpu: '96'"}, class: "slowButProgressing",
			says: []string{"Karpenter may add no node to NodePool spark-exec"}, not: []string{"may have"}},
		"for another reason": {of: "1708", objects: []string{"all available instance types exceed limits for nodepool (NodePool=spark-exec)",
			"no instance type met all requirements"}, class: "slowButProgressing", not: []string{"NodePool spark-exec"}},
	})
}

// TestWhereAGangLacksRoom: what an autoscaler says of placeholders tells of nodes. Without it, the queue is as likely.
func TestWhereAGangLacksRoom(t *testing.T) {
	answerVariants(t, map[string]variant{
		"on nodes": {of: "1720", class: "scheduling", says: []string{"12 of 24 spark-executor", "1 max node group size reached",
			"at most 12 executors"}, not: []string{"queue"}},
		"no event says so": {of: "1720", objects: []string{"reason: NotTriggerScaleUp", "reason: Other"}, class: "scheduling",
			says: []string{"did not all get room within 300 s"}, not: []string{"12 of 24", "had no room"}},
		"of another application": {of: "1720", objects: []string{"name: tg-spark-53e36c3727b7a9", "name: tg-spark-0a0a0a0a0a0a0a"},
			class: "scheduling", not: []string{"12 of 24"}},
	})
}

// TestWhoChangedTheSpec: a deployment of Argo CD is named where the driver began to go at its time. An earlier one is not.
func TestWhoChangedTheSpec(t *testing.T) {
	answerVariants(t, map[string]variant{
		"at that time": {of: "1710", class: "stoppedByUser", says: []string{
			"automated sync of Argo CD Application user-embeddings at 13:20:42", "timeToLiveSeconds 86400 to 172800"}},
		"long before": {of: "1710", objects: []string{"deployStartedAt: '2026-06-03T13:20:40Z'", "deployStartedAt: '2026-06-03T11:20:40Z'",
			"deployedAt: '2026-06-03T13:20:42Z'", "deployedAt: '2026-06-03T11:20:42Z'"}, class: "stoppedByUser",
			says: []string{"Argo CD Application user-embeddings applies it"}, not: []string{"sync of", "86400"}},
		"not tracked": {of: "1710", objects: []string{"argocd.argoproj.io/tracking-id", "example.com/tracking-id"}, class: "stoppedByUser",
			not: []string{"Argo CD"}},
	})
}

// TestCleanUpAfterTheWork: calls that the API server refused while Spark stopped are harmless. Another error among them is not called so.
func TestCleanUpAfterTheWork(t *testing.T) {
	const harmless = "harmless clean-up"
	answerVariants(t, map[string]variant{
		"all of them": {of: "1717", class: "succeeded", says: []string{harmless,
			"deletecollection services, persistentvolumeclaims, pods, configmaps"}},
		"another one": {of: "1717", logs: []string{"INFO MapOutputTrackerMasterEndpoint: MapOutputTrackerMasterEndpoint stopped!",
			"ERROR Dedupe: could not write the manifest"}, class: "succeeded", not: []string{harmless}},
	})
}

// TestFieldThatNamesASecret: what a dropped template would have given stands in the Secret that it names. A Secret without that key is no
// help.
func TestFieldThatNamesASecret(t *testing.T) {
	answerVariants(t, map[string]variant{
		"it has the variable": {of: "1731", class: "configuration", says: []string{"spec.driver.template", "from Secret warehouse-dsn"}},
		"it has another": {of: "1731", objects: []string{"  WAREHOUSE_DSN: ", "  WAREHOUSE_URL: "}, class: "configuration",
			not: []string{"template"}},
	})
}

// TestWhatS3Refused: the path of the call that failed, and not one that other lines name. A role that the store itself names counts.
func TestWhatS3Refused(t *testing.T) {
	const outer = "java.nio.file.AccessDeniedException: s3a://acme-spark-history-prod/events: getFileStatus on " +
		"s3a://acme-spark-history-prod/events: "
	answerVariants(t, map[string]variant{
		"by the exception": {of: "1705", class: "credentials", says: []string{"role ml-training-spark", "s3a://acme-spark-history-prod/events",
			"spark.eventLog.dir"}, not: []string{"acme-ml-lake-prod"}},
		"without a path": {of: "1705", logs: []string{outer, ""}, class: "credentials", not: []string{"acme-spark-history-prod", "acme-ml-lake"}},
		"keys of the spec": {of: "1705", objects: []string{"    spark.eventLog.rolling.enabled: 'true'\n",
			"    spark.hadoop.fs.s3a.aws.credentials.provider: org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider\n"}, class: "credentials",
			says: []string{"acme-spark-history-prod"}, not: []string{"role ml-training-spark"}},
		"by the store": {of: "1724", class: "credentials", says: []string{"ledger-spark-exec names no role",
			"S3 refused s3:GetObject (403) on s3://corp-ledger-raw"}},
	})
}
