package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// FederationMissing is a service account for which a managed identity of Azure has no federated credential, by the subject of the token
// that Microsoft Entra ID did not accept. A subject that is no service account of this application's pods looks alike.
type FederationMissing struct {
	Role    cause.Role // whose service account it is
	Account string
	Subject string // system:serviceaccount:NAMESPACE:NAME
	Code    string // of AADSTS
	Driver  string // the service account of the driver, where executors have another
}

// Mechanism names it.
func (FederationMissing) Mechanism() cause.ID { return "federation-missing" }

// of the token that Kubernetes gives a pod (pkg/serviceaccount/util.go of kubernetes@v1.36.3, MakeUsername)
var accountSubject = lazyregexp.New(`^system:serviceaccount:([\w.-]+):([\w.-]+)$`)

// Unfederated says whose service account a token was of that was not accepted.
func Unfederated(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "azure-federated-subject" || len(about.Evidence) == 0 {
		return cause.Cause{}, false
	}
	d := FederationMissing{Subject: known.Groups["subject"], Code: known.Groups["code"]}
	m := accountSubject.FindStringSubmatch(d.Subject)
	if m == nil || m[1] != v.Subject.Namespace {
		return cause.Cause{}, false
	}
	d.Account = m[2]
	role, pod := actingPod(v, about, &failed)
	if accountOf(v, role, pod) != d.Account {
		return cause.Cause{}, false
	}
	d.Role = role
	if driver := accountOf(v, cause.DriverRole, v.Driver); role == cause.ExecutorRole && driver != d.Account {
		d.Driver = driver
	}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Evidence: []cause.Proof{{Object: about.Subject, Field: about.Evidence[0].Field, At: about.At, Value: "AADSTS" + d.Code +
			": No matching federated identity record found for presented assertion subject '" + d.Subject + "'"}}}
	out.Detail = d
	return out, true
}
