package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TokenUnrenewed is a Hadoop delegation token that expired although the driver has a principal and a keytab, or because its renewal failed
// and Spark scheduled no other (logs.Unrenewed). A token that nothing renews expires, too: then the spec has no keytab. Spark gets new
// ones before that (core/src/main/scala/org/apache/spark/deploy/security/HadoopDelegationTokenManager.scala@v3.5.5).
type TokenUnrenewed struct {
	Failed *logs.Unrenewed // nil: the log does not say
}

// Mechanism returns its ID.
func (TokenUnrenewed) Mechanism() cause.ID { return "token-unrenewed" }

// Unrenewed returns why a token expired that Spark was to renew.
func Unrenewed(v *View, c *cause.Cause) (cause.Cause, bool) {
	failed := v.Work.Unrenewed
	if failed != nil && (failed.Scheduled == "" || !c.At.IsZero() && failed.At.After(c.At)) {
		failed = nil
	}
	conf := v.Spec.Conf
	keytab := conf["spark.kerberos.keytab"] != "" || conf["spark.yarn.keytab"] != ""
	if c.Signature != "kerberos-token" && c.Signature != "kerberos-token-expired" || failed == nil && !keytab || v.Driver == nil {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: cause.Credentials, Role: cause.DriverRole, Certainty: check.Proven, Trust: cause.ByDriverLog,
		Subject: Ref(v.Driver), Detail: TokenUnrenewed{Failed: failed}}
	if failed != nil {
		out.At = failed.At
		for _, line := range []string{failed.Line, failed.Scheduled} {
			out.Evidence = append(out.Evidence, cause.Proof{Object: out.Subject, Field: v.logField(), Value: line, At: failed.At})
		}
	}
	return out, true
}
