package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// releases are the versions that an application runs with. A library that is built for others lacks classes, or asks for some that are not
// there any more.
type releases struct{ spark, hadoop, scala string }

func releasesOf(v *View) releases {
	spark := sparkVersion(v)
	return releases{spark: spark, hadoop: hadoopOf(spark), scala: scalaOf(v)}
}

var (
	scalaSuffix = lazyregexp.New(`^(.+)_(2\.1[123])$`)
	sparkInName = lazyregexp.New(`^(iceberg-spark-runtime-|hudi-spark)(\d\.\d)(.*)$`)
)

// fitting is what to use in place of a library, and the release for which that is built. Both are zero where the
// missing class has nothing to do with this library, or where it is not known which version fits.
func (r releases) fitting(l *library, missing string) (fits Library, base Base) {
	if r.spark == "" {
		return Library{}, Base{}
	}
	if l.Group == "org.apache.hadoop" {
		// If the file system itself is missing, the library was not loaded, whatever its version.
		if r.hadoop == "" || !mentions(missing, "org.apache.hadoop.", "com.amazonaws.", "software.amazon.awssdk.") ||
			mentions(missing, "org.apache.hadoop.fs.s3a.S3AFileSystem") {
			return Library{}, Base{}
		}
		return Library{l.Group, l.Artifact, r.hadoop}, Base{Name: "Hadoop " + r.hadoop, OfSpark: r.spark}
	}
	of, base := r.suffixed(l, missing), Base{OfSpark: r.spark}
	if of.wrong {
		base.Name, base.Scala = "Scala "+r.scala, true
	}
	return r.bySpark(l, missing, of), base
}

func mentions(missing string, of ...string) bool {
	return slices.ContainsFunc(of, func(one string) bool { return strings.Contains(missing, one) })
}

// suffixedName is the name of a library in two parts: spark-avro_2.12 is "spark-avro", and the version of Scala that it is built for.
type suffixedName struct {
	name   string
	suffix string // "_2.13", of the Scala that the application runs with; empty: the name has none
	wrong  bool   // a class of Scala is missing, and the name has the suffix of another version
}

func (r releases) suffixed(l *library, missing string) suffixedName {
	m := scalaSuffix.FindStringSubmatch(l.Artifact)
	if m == nil || r.scala == "" {
		return suffixedName{name: l.Artifact}
	}
	return suffixedName{name: m[1], suffix: "_" + r.scala, wrong: m[2] != r.scala && mentions(missing, "scala.")}
}

// bySpark is fitting for a library that is built for each version of Spark, or of Scala.
func (r releases) bySpark(l *library, missing string, of suffixedName) Library {
	minor, bySpark := app.ReleaseOf(r.spark).String(), of.wrong || mentions(missing, "org.apache.spark.")
	inName := sparkInName.FindStringSubmatch(of.name)
	switch {
	case l.Group == "org.apache.spark":
		if bySpark && (of.wrong || app.ReleaseOf(l.Version).String() != minor) {
			return Library{l.Group, of.name + of.suffix, r.spark}
		}
	case inName != nil:
		if (of.wrong || inName[2] != minor) && (bySpark || mentions(missing, "org.apache.iceberg.", "org.apache.hudi.")) {
			fits := Library{Group: l.Group, Artifact: inName[1] + minor + inName[3] + of.suffix}
			if l.Group == "org.apache.iceberg" && inName[2] == minor {
				fits.Version = l.Version // each release is built for both versions of Scala (gradle.properties of apache/iceberg@02b9e97)
			}
			return fits
		}
	case l.Group == "io.delta" && of.suffix != "":
		if bySpark || mentions(missing, "io.delta.") {
			return deltaFor(l, of, minor)
		}
	case of.wrong: // whether that release was built for the other Scala, too, is not known
		return Library{Group: l.Group, Artifact: of.name + of.suffix}
	}
	return Library{}
}

// deltaFor is fitting for Delta, which has its own version for each minor version of Spark (docs of Delta Lake, Compatibility with Apache
// Spark). Where the version fits, it is the library itself.
func deltaFor(l *library, as suffixedName, minor string) Library {
	of := map[string]string{"1.0": "3.1", "1.1": "3.2", "1.2": "3.2", "2.0": "3.2", "2.1": "3.3", "2.2": "3.3", "2.3": "3.3", "2.4": "3.4",
		"3.0": "3.5", "3.1": "3.5", "3.2": "3.5", "3.3": "3.5", "4.0": "4.0"}[app.ReleaseOf(l.Version).String()]
	last := map[string]Library{"3.2": {"", "delta-core", "2.0.2"}, "3.3": {"", "delta-core", "2.3.0"}, "3.4": {"", "delta-core", "2.4.0"},
		"3.5": {"", "delta-spark", "3.3.2"}, "4.0": {"", "delta-spark", "4.0.0"}}[minor]
	switch {
	case of == minor && as.wrong:
		return Library{l.Group, as.name + as.suffix, l.Version}
	case of == minor:
		return l.Library
	case of == "" || last == (Library{}):
		return Library{}
	default:
		return Library{l.Group, last.Artifact + as.suffix, last.Version}
	}
}
