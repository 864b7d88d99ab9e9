package mechanism

import (
	"path"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// jarOf matches the file of a library, as Maven names it: the artifact, a dash, the version.
var jarOf = lazyregexp.New(`^([A-Za-z][\w.-]*?)-(\d[\w.]*(?:-[\w.]+)?)\.jar$`)

// groups are those of the artifacts whose file tells them apart: it does not name its group.
var groups = lazyregexp.New(`^(?:(hadoop-(?:aws|azure|azure-datalake|common|client|client-api|client-runtime|cloud-storage|hdfs|auth))|` +
	`(spark-(?:avro|hadoop-cloud|sql-kafka-0-10|streaming-kafka-0-10|token-provider-kafka-0-10|connect|protobuf)_2\.1[123])|` +
	`(delta-(?:core|spark|contribs)_2\.1[123])|(iceberg-spark-runtime-\d\.\d_2\.1[123])|(hudi-spark\d\.\d-bundle_2\.1[123]))$`)

// librariesOfFiles are the libraries that a list of jars names by their files, as far as their release must be that of Spark or Hadoop.
func librariesOfFiles(from NamedBy, jars []string) []library {
	var out []library
	for _, jar := range jars {
		name := path.Base(strings.TrimSpace(jar))
		file := jarOf.FindStringSubmatch(name)
		if file == nil {
			continue
		}
		m := groups.FindStringSubmatch(file[1])
		for i, group := range []string{"org.apache.hadoop", "org.apache.spark", "io.delta", "org.apache.iceberg", "org.apache.hudi"} {
			if m != nil && m[i+1] != "" {
				out = append(out, library{Library: Library{group, file[1], file[2]}, from: from, file: name})
			}
		}
	}
	return out
}

// seen is how the place that names a library has it: its coordinates, or its file.
func (l *library) seen() string {
	if l.file != "" {
		return l.file
	}
	return l.String()
}

// beforeSDK2 reports whether the jars of the spec hold AWS SDK 1 beside a hadoop-aws that would use SDK 2.
func beforeSDK2(v *View, fits Library) bool {
	jars := slices.Concat(v.Spec.Jars, strings.Split(v.Spec.Conf["spark.jars"], ","))
	return OfSDK2(fits) && slices.ContainsFunc(jars, func(jar string) bool {
		file := jarOf.FindStringSubmatch(path.Base(strings.TrimSpace(jar)))
		return file != nil && file[1] == "aws-java-sdk-bundle"
	})
}

// OfSDK2 reports whether a library is a hadoop-aws that uses AWS SDK 2 (HADOOP-18073).
func OfSDK2(l Library) bool {
	r := app.ReleaseOf(l.Version)
	return l.Artifact == "hadoop-aws" && (r.Major > 3 || r.Major == 3 && r.Minor >= 4)
}
