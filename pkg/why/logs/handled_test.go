package logs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestErrorThatACleanUpMasks: what was logged or printed right before the end is the cause, if the catalogue is certain of it and knows
// nothing of the exception that ended the driver.
func TestErrorThatACleanUpMasks(t *testing.T) {
	const (
		begin   = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
		trust   = "\tat a.B.c(B.java:1)\nCaused by: sun.security.validator.ValidatorException: PKIX path building failed: x\n\t... 9 more\n"
		logged  = "26/01/01 00:10:00 ERROR Load: giving up on orders\njava.sql.SQLException: no secure connection\n" + trust
		printed = "26/01/01 00:10:00 INFO Load: rows read: 0\njava.sql.SQLException: no secure connection\n" + trust
		warned  = "26/01/01 00:10:00 WARN Load: no metrics today\njava.sql.SQLException: no secure connection\n" + trust
		own     = "Exception in thread \"main\" java.lang.IllegalStateException: no row count\n\tat net.example.Load$.close(Load.scala:9)\n"
		known   = "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat net.example.Load$.close(Load.scala:9)\n"
		soon    = "26/01/01 00:10:01 INFO SparkContext: SparkContext is stopping with exitCode 1.\n"
		stopped = "26/01/01 00:10:30 INFO SparkContext: Successfully stopped SparkContext\n"
		late    = "26/01/01 00:10:09 INFO SparkContext: SparkContext is stopping with exitCode 1.\n"
		try     = "26/01/01 00:05:00 WARN Load: attempt 3 of 3 failed: Connect to db.example.net:5432 failed: Connection refused\n"
		gaveUp  = "Exception in thread \"main\" java.lang.IllegalStateException: giving up after 3 attempts\n" +
			"\tat net.example.Load$.x(Load.scala:9)\n"
		job = "26/01/01 00:10:00 INFO SparkContext: Starting job: count at Load.scala:3\n"
	)
	for name, row := range map[string]struct {
		log   string
		class cause.Class
		sure  check.Certainty
	}{
		"logged":                                 {logged + soon + own, cause.Network, check.Likely},
		"printed":                                {printed + soon + own, cause.Network, check.Likely},
		"Spark takes long to stop":               {logged + soon + stopped + own, cause.Network, check.Likely},
		"alone":                                  {soon + own, cause.CodeFailed, check.Proven},
		"a warning":                              {warned + soon + own, cause.CodeFailed, check.Proven},
		"some time before":                       {logged + late + own, cause.CodeFailed, check.Proven},
		"a job began after it":                   {logged + job + soon + own, cause.CodeFailed, check.Proven},
		"the end is known to the catalogue":      {logged + soon + known, cause.Configuration, check.Proven},
		"it gave up after tries":                 {try + late + gaveUp, cause.Network, check.Likely},
		"it gave up, and wrote nothing of a try": {late + gaveUp, cause.CodeFailed, check.Proven},
		"it does not say that it tried":          {try + late + own, cause.CodeFailed, check.Proven},
	} {
		found := logs.Causes(ended(1, begin+row.log+hooked))
		require.Len(t, found, 1, name)
		require.Equal(t, row.class, found[0].Class, "%s: %s", name, said(found[0]))
		require.Equal(t, row.sure, found[0].Certainty, name)
		if row.class == cause.Network && !strings.Contains(row.log, gaveUp) {
			require.Contains(t, said(found[0]), "; right after that the application failed", name)
			require.True(t, slices.ContainsFunc(found[0].Evidence, func(p cause.Proof) bool { return strings.Contains(p.Value, "no row count") }),
				name)
		}
	}
}

// TestWhatMadeUpForWhatWasMissing: where Python handled that a table is not there, and the call of Spark that was to make it failed, that
// call is what failed. Where the first call failed for another reason, or the second missed the same, the first stands.
func TestWhatMadeUpForWhatWasMissing(t *testing.T) {
	const (
		begin   = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
		missing = "Traceback (most recent call last):\n  File \"/app/load.py\", line 9, in load\n    spark.table(\"sales.orders\")\n" +
			"pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `sales`.`orders` cannot be found.\n"
		data = "Traceback (most recent call last):\n  File \"/app/load.py\", line 9, in load\n    spark.table(\"sales.orders\").show()\n" +
			"pyspark.errors.exceptions.captured.NumberFormatException: [CAST_INVALID_INPUT] The value 'n/a' of the type \"STRING\" cannot be " +
			"cast to \"INT\" because it is malformed.\n"
		then   = "\nDuring handling of the above exception, another exception occurred:\n\n"
		second = "Traceback (most recent call last):\n  File \"/app/load.py\", line 12, in load\n    spark.sql(\"CREATE TABLE sales.orders\")\n" +
			"  File \"/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/protocol.py\", line 326, in get_return_value\n"
		refused = second + "py4j.protocol.Py4JJavaError: An error occurred while calling o41.sql.\n" +
			": org.apache.hadoop.security.AccessControlException: Permission denied: user=etl, access=WRITE, inode=\"/warehouse/sales.db\"\n" +
			"\tat org.apache.hadoop.hdfs.server.namenode.FSPermissionChecker.check(FSPermissionChecker.java:399)\n"
		again = "Traceback (most recent call last):\n  File \"/app/load.py\", line 12, in load\n    spark.table(\"old.orders\")\n" +
			"pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `old`.`orders` cannot be found.\n"
	)
	for name, row := range map[string]struct {
		log   string
		class cause.Class
		says  []string
	}{
		"the table could not be made": {missing + then + refused, cause.Credentials, []string{"Permission denied", "sales"}},
		"the data was wrong":          {data + then + refused, cause.CodeFailed, []string{"CAST_INVALID_INPUT"}},
		"another is missing, too":     {missing + then + again, cause.CodeFailed, []string{"`sales`"}},
	} {
		found := logs.Causes(ended(1, begin+row.log))
		require.Len(t, found, 1, name)
		for _, word := range row.says {
			require.Contains(t, said(found[0]), word, name)
		}
		require.Equal(t, row.class, found[0].Class, "%s: %s", name, said(found[0]))
	}
}
