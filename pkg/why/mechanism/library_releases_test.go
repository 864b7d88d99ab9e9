package mechanism

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFittingLibraries: a library of another release than its family gets the coordinates that fit, and no other library any.
func TestFittingLibraries(t *testing.T) {
	const (
		ofHadoop = "org.apache.hadoop.fs.impl.prefetch.Executors"
		ofSpark  = "org.apache.spark.sql.catalyst.expressions.AnsiCast"
		ofScala  = "scala.Serializable"
	)
	for _, c := range []struct{ spark, library, missing, fits string }{
		{"3.5.1", "org.apache.hadoop:hadoop-aws:3.4.1", ofHadoop, "org.apache.hadoop:hadoop-aws:3.3.4"},
		{"4.0.1", "org.apache.hadoop:hadoop-azure:3.3.4", ofHadoop, "org.apache.hadoop:hadoop-azure:3.4.1"},
		{"3.5.1", "org.apache.hadoop:hadoop-aws:3.4.1", "software.amazon.awssdk.core.SdkClient", "org.apache.hadoop:hadoop-aws:3.3.4"},
		{"3.5.1", "org.apache.hadoop:hadoop-aws:3.4.1", "org.apache.hadoop.fs.s3a.S3AFileSystem", ""},
		{"3.5.1", "org.apache.hadoop:hadoop-aws:3.4.1", "org.example.Codec", ""},
		{"2.4.8", "org.apache.hadoop:hadoop-aws:3.4.1", ofHadoop, ""},
		{"3.5.1", "org.apache.spark:spark-avro_2.12:3.3.0", ofSpark, "org.apache.spark:spark-avro_2.12:3.5.1"},
		{"3.5.1", "org.apache.spark:spark-avro_2.12:3.5.0", ofSpark, ""},
		{"4.0.1", "org.apache.spark:spark-avro_2.12:3.5.1", ofScala, "org.apache.spark:spark-avro_2.13:4.0.1"},
		{"3.5.1", "com.acme:lake_2.13:1.0.0", ofScala, "com.acme:lake_2.12"},
		{"3.5.1", "com.acme:lake_2.12:1.0.0", ofScala, ""},
		{"3.5.1", "org.apache.iceberg:iceberg-spark-runtime-3.4_2.12:1.5.0", ofSpark, "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12"},
		{"3.5.1", "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.5.0", ofSpark, ""},
		{"3.5.1", "org.apache.hudi:hudi-spark3.4-bundle_2.12:0.15.0", ofSpark, "org.apache.hudi:hudi-spark3.5-bundle_2.12"},
		{"3.5.1", "io.delta:delta-core_2.12:2.4.0", ofSpark, "io.delta:delta-spark_2.12:3.3.2"},
		{"3.4.2", "io.delta:delta-spark_2.12:3.2.0", ofSpark, "io.delta:delta-core_2.12:2.4.0"},
		{"3.5.1", "io.delta:delta-spark_2.12:9.9.0", ofSpark, ""},
	} {
		parts := strings.Split(c.library, ":")
		l := &library{Library: Library{parts[0], parts[1], parts[2]}}
		scala := map[string]string{"3": "2.12", "4": "2.13", "2": "2.11"}[c.spark[:1]]
		fits, _ := releases{spark: c.spark, hadoop: hadoopOf(c.spark), scala: scala}.fitting(l, c.missing)
		text := ""
		if fits != (Library{}) && fits != l.Library {
			text = fits.String()
		}
		require.Equal(t, c.fits, text, "%s with Spark %s, %s missing", c.library, c.spark, c.missing)
	}
}

// TestBuiltFor: what code misses of Scala tells which version it was built for; what both have tells nothing.
func TestBuiltFor(t *testing.T) {
	for missing, built := range map[string]string{
		"'scala.collection.immutable.ArraySeq scala.runtime.ScalaRunTime$.wrapRefArray(java.lang.Object[])'": "2.13",
		"scala.$less$colon$less":              "2.13",
		"scala.collection.IterableOnce":       "2.13",
		"scala.Serializable":                  "2.12",
		"scala.collection.GenTraversableOnce": "2.12",
		"'scala.collection.mutable.WrappedArray scala.Predef$.wrapRefArray(java.lang.Object[])'": "2.12",
		"scala.Option":          "",
		"org.example.scala.Job": "",
	} {
		require.Equal(t, built, builtFor(missing), missing)
	}
}
