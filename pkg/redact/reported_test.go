package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// half is a private key from its second line on, as a log has it whose beginning was cut off.
func half() string {
	return strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 12) + canary +
		"xyzABCDEFGHIJKLMNOPQ==\n-----END PRIVATE KEY-----"
}

// TestReported are the forms in which secrets were shown, and the texts that were lost for none. Those of addresses are in
// pkg/collect/manifests.
func TestReported(t *testing.T) {
	for form, text := range map[string]string{
		"pair of Python":               "('spark.hadoop.fs.s3a.secret.key', '" + canary + "')",
		"option of a reader":           `spark.read.format("jdbc").option("password", "` + canary + `").load()`,
		"setting of a SparkConf":       `conf.set("spark.hadoop.fs.s3a.secret.key", "` + canary + `")`,
		"environment of Python":        `os.environ["X_SECRET"] = "` + canary + `"`,
		"OPTIONS of SQL":               "CREATE TABLE t USING jdbc OPTIONS (url 'jdbc:x', password '" + canary + "')",
		"PASSWORD of SQL":              "ALTER USER etl WITH PASSWORD '" + canary + "'",
		"value of JSON on a line":      "{\n  \"password\":\n    \"" + canary + "\"\n}",
		"pair of JSON on two lines":    "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"" + canary + "\"\n}",
		"pair of YAML on two lines":    "- name: DB_PASSWORD\n  value: " + canary,
		"block of YAML":                "password: |\n  " + canary,
		"flag and value on two lines":  "--password\n" + canary,
		"account key, account files":   "fs.azure.account.key.files.dfs.core.windows.net=" + canary,
		"account key, account files01": "fs.azure.account.key.files01.dfs.core.windows.net " + canary,
		"SAS, container files":         "fs.azure.sas.files.acct.blob.core.windows.net=" + canary,
		"SAS, container files01":       "spark.hadoop.fs.azure.sas.files01.acct.blob.core.windows.net=" + canary,
		"password of Redis":            "spark.redis.auth=" + canary,
		"user of the schema registry":  "basic.auth.user.info=u:" + canary,
		"braces of SQL Server":         "jdbc:sqlserver://h;user=a;password={p;" + canary + "};encrypt=true",
		"key whose beginning is cut":   half(),
		"signature in an address":      "https://h/a.yaml?sig=" + canary,
		"token in front of a host":     "https://" + canary + "@h/a.yaml",
	} {
		for _, log := range []string{text, "26/01/02 03:04:05 ERROR Main: failed\n" + text + "\n26/01/02 03:04:06 INFO Main: done\n"} {
			assert.NotContains(t, redact.Text(log), canary, form)
			assert.NotContains(t, redact.Log(log), canary, form)
		}
	}
	for what, text := range map[string]string{
		"absent value":         "API_TOKEN: not set",
		"partition of a table": "s3a://bucket/t/api_key=prod/part-00000-6b8f0b1e.c000.snappy.parquet",
		"type of a column":     "StructType(StructField(token,LongType,true))",
		"endpoint of Spark":    "spark://CoarseGrainedScheduler@etl-driver-svc:7078",
		"location in a file":   "db-secret.yaml: document 1, line 3",
		"words about a key":    "the key must begin with `-----BEGIN PRIVATE KEY-----`\njava.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(D.java:1)",
	} {
		assert.Equal(t, text, redact.Text(text), what)
		assert.Equal(t, text, redact.Log(text), what)
	}
}

// BenchmarkLog: the log of a driver, and the same with a secret on each hundredth line.
func BenchmarkLog(b *testing.B) {
	line := "26/01/02 03:04:05 INFO TaskSetManager: Finished task 17.0 in stage 3.0 (TID 117) in 1204 ms on 10.0.0.12 (executor 4) (17/200)\n"
	for name, text := range map[string]string{
		"plain":   strings.Repeat(line, (1<<20)/len(line)),
		"secrets": strings.Repeat(strings.Repeat(line, 99)+"26/01/02 03:04:05 WARN Main: password=hunter2 is old\n", (1<<20)/len(line)/100),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				redact.Log(text)
			}
		})
	}
}
