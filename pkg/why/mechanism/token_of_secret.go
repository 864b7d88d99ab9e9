package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TokenOfSecret is a delegation token of Hadoop that a Secret gives and that is over. Spark renews only tokens that it got itself, with a
// keytab (docs/security.md@v3.5.5, Long-Running Applications).
type TokenOfSecret struct {
	Secret, Field string
	Until         string // as the NameNode says it, or empty
}

// Mechanism names it.
func (TokenOfSecret) Mechanism() cause.ID { return "token-of-secret" }

// delegationToken is the type of such a Secret (api/v1beta2/sparkapplication_types.go@v2.5.2).
const delegationToken = "HadoopDelegationToken"

// ExpiredInSecret names the Secret of a token that expired.
func ExpiredInSecret(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, _ := failed.Meaning.(logs.Known)
	role, _ := actingPod(v, about, &failed)
	given := v.Spec.Role(string(role)).Secrets
	at := slices.IndexFunc(given, func(s app.SecretMount) bool { return s.Type == delegationToken })
	_, keytab := v.Spec.Conf["spark.kerberos.keytab"]
	if about.Signature != "kerberos-token-expired" || at < 0 || keytab {
		return cause.Cause{}, false
	}
	d := TokenOfSecret{Secret: given[at].Name, Field: "spec." + string(role) + ".secrets", Until: known.Groups["until"]}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: d.Field,
			Value: d.Secret + " (" + delegationToken + ")"}}}, true
}
