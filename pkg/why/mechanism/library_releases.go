package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// releases are the versions that libraries of an application must fit.
type releases struct{ spark, hadoop, scala string }

func releasesOf(v *View) releases {
	spark := sparkVersion(v)
	return releases{spark: spark, hadoop: hadoopOf(spark), scala: scalaOf(v)}
}

var (
	scalaSuffix = lazyregexp.New(`^(.+)_(2\.1[123])$`)
	sparkInName = lazyregexp.New(`^(iceberg-spark-runtime-|hudi-spark)(\d\.\d)(.*)$`)
)

// fitting are the coordinates that a library should have, where what is missing is of its family; empty: it is not, or what fits is not
// known.
func (r releases) fitting(l *library, missing string) (fits, base string) {
	if r.spark == "" {
		return "", ""
	}
	if l.group == "org.apache.hadoop" {
		// Without that class, the library was not read at all.
		if r.hadoop == "" || !mentions(missing, "org.apache.hadoop.", "com.amazonaws.", "software.amazon.awssdk.") ||
			mentions(missing, "org.apache.hadoop.fs.s3a.S3AFileSystem") {
			return "", ""
		}
		return l.group + ":" + l.artifact + ":" + r.hadoop, "Hadoop " + r.hadoop + " of Spark " + r.spark
	}
	of, base := r.suffixed(l, missing), "Spark "+r.spark
	if of.wrong {
		base = "Scala " + r.scala + " of Spark " + r.spark
	}
	return r.bySpark(l, missing, of), base
}

func mentions(missing string, of ...string) bool {
	return slices.ContainsFunc(of, func(one string) bool { return strings.Contains(missing, one) })
}

// suffixedName is a name of a library whose suffix is a version of Scala.
type suffixedName struct {
	name, suffix string // without the suffix, and the suffix that it should have; empty: it has none
	wrong        bool   // something of Scala is missing, and the suffix is of another version
}

func (r releases) suffixed(l *library, missing string) suffixedName {
	m := scalaSuffix.FindStringSubmatch(l.artifact)
	if m == nil || r.scala == "" {
		return suffixedName{name: l.artifact}
	}
	return suffixedName{m[1], "_" + r.scala, m[2] != r.scala && mentions(missing, "scala.")}
}

// bySpark are the coordinates of a library that is built for a version of Spark.
func (r releases) bySpark(l *library, missing string, of suffixedName) string {
	minor, bySpark := minorOf.FindString(r.spark), of.wrong || mentions(missing, "org.apache.spark.")
	inName := sparkInName.FindStringSubmatch(of.name)
	switch {
	case l.group == "org.apache.spark":
		if bySpark && (of.wrong || minorOf.FindString(l.version) != minor) {
			return l.group + ":" + of.name + of.suffix + ":" + r.spark
		}
	case inName != nil:
		if (of.wrong || inName[2] != minor) && (bySpark || mentions(missing, "org.apache.iceberg.", "org.apache.hudi.")) {
			return l.group + ":" + inName[1] + minor + inName[3] + of.suffix
		}
	case l.group == "io.delta" && of.suffix != "":
		if bySpark || mentions(missing, "io.delta.") {
			return deltaFor(l, of, minor)
		}
	case of.wrong:
		return l.group + ":" + of.name + of.suffix + ":" + l.version
	}
	return ""
}

// deltaFor are the coordinates of Delta for a minor version of Spark (docs of Delta Lake, Compatibility with Apache Spark); those that it
// has where they fit; empty: not known.
func deltaFor(l *library, as suffixedName, minor string) string {
	of := map[string]string{"1.0": "3.1", "1.1": "3.2", "1.2": "3.2", "2.0": "3.2", "2.1": "3.3", "2.2": "3.3", "2.3": "3.3", "2.4": "3.4",
		"3.0": "3.5", "3.1": "3.5", "3.2": "3.5", "3.3": "3.5", "4.0": "4.0"}[minorOf.FindString(l.version)]
	last := map[string]string{"3.2": "delta-core%:2.0.2", "3.3": "delta-core%:2.3.0", "3.4": "delta-core%:2.4.0",
		"3.5": "delta-spark%:3.3.2", "4.0": "delta-spark%:4.0.0"}[minor]
	switch {
	case of == minor && as.wrong:
		return l.group + ":" + as.name + as.suffix + ":" + l.version
	case of == minor:
		return l.String()
	case of == "" || last == "":
		return ""
	default:
		return l.group + ":" + strings.Replace(last, "%", as.suffix, 1)
	}
}
