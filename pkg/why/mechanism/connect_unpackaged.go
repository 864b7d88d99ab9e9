package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ConnectUnpackaged is a server of Spark Connect of which the class is missing, in a release of Spark that has it as a package of its own:
// from 3.4 on, and before 4.0, whose images hold it (docs/spark-connect-overview.md@v3.5.5 and @v4.0.0). An image of 4.0 without it was
// built without it.
type ConnectUnpackaged struct {
	Image   string // empty: not known
	Spark   string // its version
	Package string // coordinates for this Spark and its Scala
	Setting bool   // packages are listed in spark.jars.packages of spec.sparkConf: those of spec.deps.packages would replace them
}

// Mechanism names it.
func (ConnectUnpackaged) Mechanism() cause.ID { return "connect-unpackaged" }

// WithoutConnect names the package that holds the missing class of the server.
func WithoutConnect(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	spark, scala := sparkVersion(v), scalaOf(v)
	release := app.ReleaseOf(spark)
	apart := release == app.Release{Major: 3, Minor: 4} || release == app.Release{Major: 3, Minor: 5}
	ofPackage := apart && strings.HasPrefix(spark, release.String()+".") // as a package is named
	if !is || known.Signature.ID != "connect-server-missing" || !ofPackage || scala == "" {
		return cause.Cause{}, false
	}
	d := ConnectUnpackaged{Image: v.Spec.Image, Spark: spark, Package: "org.apache.spark:spark-connect_" + scala + ":" + spark,
		Setting: v.IsConnect() || v.Spec.Conf["spark.jars.packages"] != ""}
	if v.Driver != nil {
		d.Image = app.MainImage(v.Driver)
	}
	return cause.Cause{Class: cause.Dependency, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d}, true
}

// MisledByCode reports whether a cause knows no more than the exit code by which spark-submit says that the main class is missing.
func MisledByCode(c *cause.Cause) bool {
	switch c.Detail.(type) {
	case NoMainClass, ServerClassMissing:
		return true
	default:
		return false
	}
}
