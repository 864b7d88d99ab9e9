package mechanism

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// VendedExpired is a token of S3 that expired, where a REST catalog of Iceberg hands out credentials with each table that it loads: the
// header asks it for that (open-api/rest-catalog-open-api.yaml of apache/iceberg@apache-iceberg-1.8.0), and before 1.8 nothing renews them
// (apache/iceberg#11389). A token that the spec or a Secret gives looks alike, and has no such header.
type VendedExpired struct {
	Catalog string
	Iceberg string // its release; empty: not known
	After   time.Duration
}

// Mechanism names it.
func (VendedExpired) Mechanism() cause.ID { return "vended-expired" }

// Renews reports whether this release of Iceberg asks the catalog for new credentials, where that says where.
func (d VendedExpired) Renews() bool { return d.Iceberg == "" || !olderThan(d.Iceberg, 1, 8) }

var (
	asksVended   = lazyregexp.New(`^spark\.sql\.catalog\.([^.]+)\.header\.(?i:x-iceberg-access-delegation)$`)
	runsIceberg  = lazyregexp.New(`iceberg-(?:spark-runtime|aws-bundle)[\w.-]*[;:#-](\d+\.\d+\.\d+)`)
	releaseParts = lazyregexp.New(`^(\d+)\.(\d+)`)
)

// VendedBy finds the catalog that gave a token which expired.
func VendedBy(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "s3-expired-token" {
		return cause.Cause{}, false
	}
	for _, key := range slices.Sorted(maps.Keys(v.Spec.Conf)) {
		m := asksVended.FindStringSubmatch(key)
		if m == nil || !strings.Contains(v.Spec.Conf[key], "vended-credentials") {
			continue
		}
		catalog := "spark.sql.catalog." + m[1]
		rest := strings.EqualFold(v.Spec.Conf[catalog+".type"], "rest") || strings.HasSuffix(v.Spec.Conf[catalog+".catalog-impl"], ".RESTCatalog")
		// Keys that the catalog has of its own come first (s3.session-token in docs/docs/aws.md of apache/iceberg@apache-iceberg-1.8.0).
		if !rest || v.Spec.Conf[catalog+".s3.access-key-id"] != "" {
			continue
		}
		d := VendedExpired{Catalog: m[1], Iceberg: icebergOf(v)}
		if begin := v.startedAt(); !begin.IsZero() && about.At.After(begin) {
			d.After = about.At.Sub(begin)
		}
		return cause.Cause{Class: about.Class, Certainty: check.Likely, Role: about.Role, Subject: about.Subject, At: about.At,
			Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[" + key + "]",
				Value: v.Spec.Conf[key]}}}, true
	}
	return cause.Cause{}, false
}

// startedAt is when the container of the driver started; zero: that was not seen.
func (v *View) startedAt() time.Time {
	if v.Driver == nil {
		return time.Time{}
	}
	if c := app.Container(v.Driver); c != nil {
		switch {
		case c.State.Running != nil:
			return c.State.Running.StartedAt.Time
		case c.State.Terminated != nil:
			return c.State.Terminated.StartedAt.Time
		}
	}
	return time.Time{}
}

// icebergOf is the release of Iceberg that the spec or a log names; empty: neither does.
func icebergOf(v *View) string {
	for _, list := range []string{v.Spec.Conf["spark.jars.packages"], v.Spec.Conf["spark.jars"], strings.Join(v.Spec.Packages, ","),
		strings.Join(v.Spec.Jars, ",")} {
		if m := runsIceberg.FindStringSubmatch(list); m != nil {
			return m[1]
		}
	}
	if m := inDriverLogs(v, runsIceberg); m != nil {
		return m[1]
	}
	return ""
}

// olderThan compares a release with another one.
func olderThan(release string, major, minor int) bool {
	m := releaseParts.FindStringSubmatch(release)
	if m == nil {
		return false
	}
	a, b := whole(m[1]), whole(m[2])
	return a < major || a == major && b < minor
}
