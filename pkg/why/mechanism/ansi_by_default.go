package mechanism

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ANSIMode makes queries fail at values that they otherwise turn into NULL. It is on by default since 4.0
// (docs/sql-migration-guide.md@v4.0.0, Upgrading from Spark SQL 3.5 to 4.0).
const ANSIMode = "spark.sql.ansi.enabled"

// ansiVariable is the default of ANSIMode where it is set (sql/catalyst/src/main/scala/org/apache/spark/sql/internal/SQLConf.scala@v4.0.0).
const ansiVariable = "SPARK_ANSI_SQL_MODE"

// ANSIByDefault is a value at which a query fails only because Spark 4 has ANSI mode on and nothing sets it. A spec or a program that sets
// it looks alike, and so do rows that are inserted: they are checked whatever the mode is, since 3.0 (spark.sql.storeAssignmentPolicy).
type ANSIByDefault struct {
	Release string // "4.0.1"
	Called  string // what was called of the DataFrame: "cast"; empty: the exception does not say, as of SQL
	At      string // where it was called: "datacompy/spark.py:1294"
}

// Mechanism names it.
func (ANSIByDefault) Mechanism() cause.ID { return "ansi-by-default" }

var (
	// sql/core/src/test/scala/org/apache/spark/sql/errors/QueryContextSuite.scala of apache/spark (SPARK-50290); Scala names a method.
	calledFrom = lazyregexp.New(`"(\w{1,60})" was called from\s+([^\s:()]{1,300}):(\d{1,7})(?:\s|$)`)
	ansiSet    = lazyregexp.New(`spark\.sql\.ansi\.enabled["']?\s*[=,]\s*["']?(?i:true|false)`)
)

// ANSIRefused finds it.
func ANSIRefused(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	release := sparkVersion(v)
	if !is || v.Application == nil || !ofANSIMode(&known, failed.Root.Message) || app.ReleaseOf(release).Major != 4 || ansiIsSet(v) {
		return cause.Cause{}, false
	}
	d := ANSIByDefault{Release: release}
	if m := calledFrom.FindStringSubmatch(failed.Root.Message); m != nil {
		d.Called, d.At = m[1], inPackage(m[2])+":"+m[3]
	}
	return cause.Cause{Class: about.Class, Role: about.Role, Subject: about.Subject, Trust: cause.BySpec, Detail: d,
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[" + ANSIMode + "]", Value: "not set: true"}}}, true
}

// ofANSIMode reports whether an error is one that only this mode raises.
func ofANSIMode(k *logs.Known, says string) bool {
	switch k.Signature.ID {
	case "cast-invalid-input", "array-index", "timestamp-text", "divide-by-zero":
		return true
	case "arithmetic-overflow", "decimal-range":
		return strings.Contains(says, ANSIMode)
	case "cast":
		what := k.Groups["what"]
		return what == "CAST_OVERFLOW" || what == "CAST_INVALID_INPUT" || strings.HasPrefix(what, "INVALID_ARRAY_INDEX")
	default:
		return false
	}
}

// ansiIsSet reports whether the spec, a variable or the program sets the mode.
func ansiIsSet(v *View) bool {
	if v.Spec.Conf[ANSIMode] != "" || slices.Contains(v.Spec.Driver.Env, ansiVariable) || inDriverLogs(v, ansiSet) != nil {
		return true
	}
	if c := mainContainer(v.Driver); c != nil {
		for _, e := range c.Env {
			if e.Name == ansiVariable {
				return true
			}
		}
	}
	return false
}

// inPackage is the path of a file of Python: below its packages, else the name alone.
func inPackage(path string) string {
	for _, folder := range []string{"/site-packages/", "/dist-packages/"} {
		if _, rest, is := strings.Cut(path, folder); is {
			return rest
		}
	}
	return cmp.Or(path[strings.LastIndexByte(path, '/')+1:], path)
}
