package casefile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuotesAreQuiet: what senders put around a message is left out, what happened is not, and each rule has a line that shows it.
func TestQuotesAreQuiet(t *testing.T) {
	used := map[string]bool{}
	for _, line := range [][2]string{
		{
			"26/11/20 03:12:44 ERROR Utils: no",
			"Utils: no",
		},
		{
			"Failure executing: POST at: https://10.0.0.1/api/v1/pods. Message: refused.",
			"refused.",
		},
		{
			"failed: 26/11/20 WARN x Failure executing: GET at: https://a/b. Message: no. Received status: Status(code=403)",
			"no.",
		},
		{
			"Preempted to accommodate a workload (UID: 9f542104-a9e2-4344-ad2e-9c136204da18, JobUID: UNKNOWN) due to prioritization",
			"Preempted to accommodate a workload due to prioritization",
		},
		{
			"[STREAM_FAILED] Query [id = 8d49bc34-3ed2-5185-8794-8171e169bebb, runId = 17010272-af75-5732-beae-993b29e321c7] terminated " +
				"with exception: [STATE] no",
			"[STATE] no",
		},
		{
			"cannot be cast to \"FLOAT\" because it is malformed. Correct the value as per the syntax, or change its target type. " +
				"Use `x` at j.py:6",
			"cannot be cast to \"FLOAT\" because it is malformed. at j.py:6",
		},
		{
			"schema doesn't match! Please note that Spark allow difference of field name: check count of fields.",
			"schema doesn't match!",
		},
		{
			"Files were added. Please try the operation again. Conflicting commit: {\"timestamp\":1} at merge.py:3",
			"Files were added. at merge.py:3",
		},
		{
			"You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: " +
				"https://www.docker.com/increase-rate-limit",
			"You have reached your pull rate limit.",
		},
		{
			`failed to run spark-submit: 26/11/20 03:12:44 WARN x: y Exception in thread "main" a.B: no`,
			"a.B: no",
		},
		{
			"Denied (Request ID: X1;, Proxy: null)",
			"Denied ()",
		},
		{
			"AADSTS1: no Trace ID: 0a-1b0c0d0e Correlation ID: 1a-2b0c0d0e Timestamp: 2026-11-20 03:12:44Z",
			"AADSTS1: no",
		},
		{
			"The request failed. RequestId:0123456789ab Time:2026-11-20T03:12:44Z",
			"The request failed.",
		},
		{
			"[X] no `a`. SQLSTATE: 42703; 'Aggregate ['a], [count(1)] at job.py:52",
			"[X] no `a`. SQLSTATE: 42703 at job.py:52",
		},
		{
			"cannot resolve 'a'; line 1 pos 7; 'Project ['a] +- 'UnresolvedRelation",
			"cannot resolve 'a'",
		},
		{
			"no 5 (GroupId: spark-1-executor, TopicPartition: rides-0).",
			"no 5 (rides-0).",
		},
		{
			"ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: The executor with id 4 exited with exit " +
				"code 137(SIGKILL). The API gave the following container statuses: container name: x",
			"ExecutorLostFailure (executor 4): exit code 137(SIGKILL).",
		},
		{
			"exit code -1. The API gave the following brief reason: Evicted The API gave the following message: no",
			"exit code -1. Evicted no",
		},
		{
			"You may get a different result due to the upgrading to Spark >= 3.0: Fail to parse 'x'",
			"Fail to parse 'x'",
		},
		{
			"Segmentation fault Current thread 0x7f (most recent call first): File",
			"Segmentation fault File",
		},
		{
			"E0128 09:16:40.714049      11 reflector.go:125] " +
				"pkg/mod/k8s.io/client-go@v0.19.6/tools/cache/reflector.go:156: Failed to list",
			"Failed to list",
		},
		{
			"no at org.apache.spark.deploy.SparkSubmit.main(SparkSubmit.scala:7) ... 16 more",
			"no",
		},
		{
			"no. 26/11/20 03:12:44 INFO ShutdownHookManager: Shutdown hook called",
			"no.",
		},
		{
			`Back-off pulling image "a/b:1": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "a/b:1": ` +
				`failed to resolve reference "a/b:1": failed to copy: httpReadSeeker: failed open: 403 Forbidden`,
			"403 Forbidden",
		},
		{
			`401 Unauthorized POST https://storage.googleapis.com/x {"error":{"code":401,"message":"Anonymous caller`,
			`401 Unauthorized: "Anonymous caller`,
		},
		{
			`403 Forbidden POST https://storage.googleapis.com/x { "code" : 403, "errors" : [ { "domain" : ` +
				`"global", "message" : "no access"`,
			`403 Forbidden: "no access"`,
		},
		{
			"Application spark-1 scheduling failed, reason: ApplicationRejected: queue a cannot",
			"queue a cannot",
		},
		{
			"An error occurred while calling o42.save. : a.B: no",
			"a.B: no",
		},
		{
			"0/5 nodes are available: 3 Insufficient cpu. preemption: 0/5 nodes are available: 3 No preemption victims found for incoming pod.",
			"0/5 nodes are available: 3 Insufficient cpu.",
		},
		{
			"0/5 nodes are available: 5 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
			"0/5 nodes are available: 5 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
		},
		{
			"IOException: either the data was aged out by Kaf… at job.py:3",
			"IOException: either the data was aged out by… at job.py:3",
		},
		{
			"cannot commit to s3a://lake/orders/metad… (driver)",
			"cannot commit to s3a://lake/orders/metad… (driver)",
		},
		{
			"write try_cast(… AS INT)",
			"write try_cast(… AS INT)",
		},
		{
			"ValueError: no Project here at job.py:3",
			"ValueError: no Project here at job.py:3",
		},
		{
			"KeyError: 'Window' at job.py:3",
			"KeyError: 'Window' at job.py:3",
		},
	} {
		require.Equal(t, line[1], quiet(line[0]), line[0])
		for _, one := range noises() {
			used[one.part.String()] = used[one.part.String()] || one.part.MatchString(line[0])
		}
	}
	for _, one := range noises() {
		require.True(t, used[one.part.String()], one.part.String())
	}
}

// TestStatementsDoNotRepeatTheQuote: what stands below in the same words is left out, whole or cut, and what follows it stays.
func TestStatementsDoNotRepeatTheQuote(t *testing.T) {
	const quote = `pod etl-driver · event FailedMount: MountVolume failed for volume "data" : driver x.csi not found in the list (3 times)`
	for _, one := range []struct{ text, short string }{
		{
			`a volume cannot be mounted: MountVolume failed for volume "data" : driver x.csi not found in the list`,
			"a volume cannot be mounted",
		},
		{
			`a volume cannot be mounted: MountVolume failed for volume "data" : driver x.csi not found in the list; it is claim lookup`,
			"a volume cannot be mounted; it is claim lookup",
		},
		{
			`a volume cannot be mounted: MountVolume failed for vol… driver x.csi not found in the list (driver)`,
			"a volume cannot be mounted (driver)",
		},
		{
			`it fits on none of 3 nodes; the scheduler says: MountVolume failed for volume "data" : driver x.csi not found in the list`,
			"it fits on none of 3 nodes",
		},
		{ // few words are a name
			"a volume cannot be mounted: driver x.csi not found; it is claim lookup",
			"",
		},
		{
			`a volume cannot be mounted: MountVolume failed for volume "other" : driver x.csi not there`,
			"",
		},
	} {
		short, is := unrepeated(one.text, quote)
		require.Equal(t, one.short != "", is, one.text)
		if is {
			require.Equal(t, one.short, short)
		}
	}
}
