package logs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestWhatAnEarlierFailureLeft: where the end is a missing output, or rows that are there already, an earlier failure that names the same
// path or table is the cause. One about something else, one that was only a warning, and one of a task that was tried again, are not.
func TestWhatAnEarlierFailureLeft(t *testing.T) {
	const (
		begin  = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
		denied = "java.nio.file.AccessDeniedException: s3a://lake/orders/day=1/_temporary/0: PUT 0-byte object on orders: User: " +
			"arn:aws:sts::111122223333:assumed-role/etl/x is not authorized to perform: s3:PutObject\n" +
			"\tat org.apache.hadoop.fs.s3a.Invoker.once(Invoker.java:119)\n"
		refused = "26/01/01 00:01:00 ERROR Load: day 1 was not written, going on\n" + denied
		warned  = "26/01/01 00:01:00 WARN Load: day 1 was not written, going on\n" + denied
		other   = "26/01/01 00:01:00 ERROR Load: totals were not written, going on\n" +
			"java.nio.file.AccessDeniedException: s3a://lake/totals: User: arn:aws:sts::111122223333:assumed-role/etl/x is not authorized " +
			"to perform: s3:PutObject\n"
		stops   = "26/01/01 00:09:00 INFO SparkContext: SparkContext is stopping with exitCode 1.\n"
		missing = "Exception in thread \"main\" org.apache.spark.sql.AnalysisException: [PATH_NOT_FOUND] Path does not exist: " +
			"s3a://lake/orders/day=1.\n\tat net.example.Load$.check(Load.scala:9)\n"
		lost = "26/01/01 00:02:00 WARN TaskSetManager: Lost task 2.0 in stage 0.0 (TID 2) (10.0.0.1 executor 1): " +
			"java.sql.BatchUpdateException: Batch entry 4 INSERT INTO shop.customers VALUES (1) was aborted: " +
			"ERROR: invalid byte sequence for encoding \"UTF8\": 0x00\n"
		gaveUp    = "26/01/01 00:02:01 ERROR TaskSetManager: Task 2 in stage 0.0 failed 4 times; aborting job\n"
		job       = "26/01/01 00:03:00 INFO SparkContext: Starting job: save at Load.scala:3\n"
		duplicate = "Exception in thread \"main\" java.sql.BatchUpdateException: Batch entry 0 INSERT INTO shop.customers VALUES (1) was " +
			"aborted: ERROR: duplicate key value violates unique constraint \"customers_pkey\"\n\tat net.example.Load$.save(Load.scala:3)\n"
	)
	for name, row := range map[string]struct {
		log   string
		class cause.Class
		sure  check.Certainty
		says  string
	}{
		"an output was refused": {refused + stops + missing, cause.Credentials, check.Likely,
			"failed at what that left: AnalysisException"},
		"alone":                             {stops + missing, cause.CodeFailed, check.Proven, "does not exist"},
		"only a warning":                    {warned + stops + missing, cause.CodeFailed, check.Proven, "does not exist"},
		"about another path":                {other + stops + missing, cause.CodeFailed, check.Proven, "does not exist"},
		"rows of a first try":               {lost + gaveUp + job + stops + duplicate, cause.CodeFailed, check.Likely, "0x00"},
		"the task was tried again and went": {lost + job + stops + duplicate, cause.CodeFailed, check.Proven, "unique key"},
	} {
		found := logs.Causes(ended(1, begin+row.log))
		require.Len(t, found, 1, name)
		require.Equal(t, row.class, found[0].Class, "%s: %s", name, said(found[0]))
		require.Equal(t, row.sure, found[0].Certainty, "%s: %s", name, said(found[0]))
		require.Contains(t, said(found[0]), row.says, name)
	}
}

// TestWhatAHandlerDidAfterAJobWasGivenUp: an error of something else within a minute after a job was given up follows from it. Where Spark
// itself failed, where the reason of the job is not certain, or where another job began, it does not.
func TestWhatAHandlerDidAfterAJobWasGivenUp(t *testing.T) {
	const (
		begin = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
		lost  = "26/01/01 00:02:00 WARN TaskSetManager: Lost task 4.0 in stage 0.0 (TID 4) (10.0.0.1 executor 2): " +
			"org.apache.spark.SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a " +
			"different result due to the upgrading to Spark >= 3.0:\nFail to parse '1/7/2026 9:05' in the new parser.\n" +
			"\tat org.apache.spark.sql.errors.ExecutionErrors.x(ExecutionErrors.scala:54)\n"
		unknown = "26/01/01 00:02:00 WARN TaskSetManager: Lost task 4.0 in stage 0.0 (TID 4) (10.0.0.1 executor 2): " +
			"com.example.lib.OddException: odd\n\tat com.example.lib.Odd.x(Odd.java:54)\n"
		gaveUp = "26/01/01 00:02:01 ERROR TaskSetManager: Task 4 in stage 0.0 failed 4 times; aborting job\n"
		job    = "26/01/01 00:02:03 INFO SparkContext: Starting job: save at load.py:3\n"
		stops  = "26/01/01 00:02:05 INFO SparkContext: Invoking stop() from shutdown hook\n"
		chat   = "Traceback (most recent call last):\n  File \"/opt/load.py\", line 80, in run\n    requests.post(HOOK)\n" +
			"requests.exceptions.ConnectionError: HTTPSConnectionPool(host='chat.example.net', port=443): Max retries exceeded with url: /x " +
			"(Caused by NameResolutionError(\"Failed to resolve 'chat.example.net' ([Errno -2] Name or service not known)\"))\n"
	)
	for name, row := range map[string]struct {
		log   string
		class cause.Class
	}{
		"a message to a chat":             {lost + gaveUp + chat + stops, cause.CodeFailed},
		"no job was given up":             {lost + chat + stops, cause.Network},
		"another job began":               {lost + gaveUp + job + chat + stops, cause.Network},
		"nothing is known of the job":     {unknown + gaveUp + chat + stops, cause.Network},
		"nothing happened before the end": {chat + stops, cause.Network},
	} {
		found := logs.Causes(ended(1, begin+row.log))
		require.Len(t, found, 1, name)
		require.Equal(t, row.class, found[0].Class, "%s: %s", name, said(found[0]))
	}
}
