package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

var (
	runsSpark   = lazyregexp.New(`Running Spark version (\d+\.\d+\.\d+)`) // core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.5
	taggedSpark = lazyregexp.New(`[:-]v?([34]\.\d\.\d)(?:$|[-_.])`)       // of an image: apache/spark:3.5.1-scala2.12-java17-ubuntu
)

// sparkVersion is the version of Spark that an application runs: as its log says, else its image's tag, else the spec; empty: none tells.
func sparkVersion(v *View) string {
	if m := inDriverLogs(v, runsSpark); m != nil {
		return m[1]
	}
	images := []string{v.Spec.Image}
	if v.Driver != nil {
		images = []string{app.MainImage(v.Driver), v.Spec.Image}
	}
	for _, image := range images {
		if m := taggedSpark.FindStringSubmatch(image); m != nil {
			return m[1]
		}
	}
	return v.Spec.SparkVersion
}

// inDriverLogs is the first match in the logs of the driver.
func inDriverLogs(v *View, what *lazyregexp.Regexp) []string {
	for i := range v.Logs {
		l := &v.Logs[i]
		if l.Role == string(cause.ExecutorRole) || l.Previous {
			continue
		}
		for _, text := range []string{l.Head, l.Tail} {
			if m := what.FindStringSubmatch(text); m != nil {
				return m
			}
		}
	}
	return nil
}

// allInDriverLogs are all matches in the logs of the driver, up to a bound.
func allInDriverLogs(v *View, what *lazyregexp.Regexp) (out [][]string) {
	for i := range v.Logs {
		l := &v.Logs[i]
		if l.Role == string(cause.ExecutorRole) || l.Previous {
			continue
		}
		for _, text := range []string{l.Head, l.Tail} {
			out = append(out, what.FindAllStringSubmatch(text, maxFound)...)
		}
	}
	return out
}

// maxFound bounds what is found in a log.
const maxFound = 300

// hadoopOf is the version of Hadoop that releases of Spark are built with (pom.xml, hadoop.version, at v3.1.3 to v4.0.1); empty: not known.
func hadoopOf(spark string) string {
	return map[app.Release]string{{Major: 3, Minor: 1}: "3.2.0", {Major: 3, Minor: 2}: "3.3.1", {Major: 3, Minor: 3}: "3.3.2",
		{Major: 3, Minor: 4}: "3.3.4", {Major: 3, Minor: 5}: "3.3.4", {Major: 4}: "3.4.1"}[app.ReleaseOf(spark)]
}

// bundled reports whether Hadoop has the SDK of AWS in version 2, as it has from 3.4.0 (hadoop-project/pom.xml of
// apache/hadoop@rel/release-3.4.0).
func bundled(spark string) bool { return app.ReleaseOf(spark).Major == 4 }

var (
	usesScala   = lazyregexp.New(`Using Scala version (\d+\.\d+)`) // bin/spark-shell, and spark-submit --version
	taggedScala = lazyregexp.New(`scala[-_]?(2\.1[123])`)
)

// scalaOf is the version of Scala that the Spark of an application is built for. Releases of Spark 3 are for 2.12, unless they say 2.13; of
// 4 there is none but 2.13 (pom.xml, scala.binary.version, at v3.5.5 and v4.0.0).
func scalaOf(v *View) string {
	if m := inDriverLogs(v, usesScala); m != nil {
		return m[1]
	}
	images := []string{v.Spec.Image}
	if v.Driver != nil {
		images = []string{app.MainImage(v.Driver), v.Spec.Image}
	}
	for _, image := range images {
		if m := taggedScala.FindStringSubmatch(image); m != nil {
			return m[1]
		}
	}
	return map[int]string{3: "2.12", 4: "2.13"}[app.ReleaseOf(sparkVersion(v)).Major]
}
