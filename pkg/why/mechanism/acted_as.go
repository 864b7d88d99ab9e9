package mechanism

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// cloudIdentity is how a cloud binds an identity to a service account.
type cloudIdentity struct {
	cloud      logs.Cloud
	annotation string         // of the service account
	name       *regexp.Regexp // the comparable part of the annotation's value
}

// The annotations of service accounts.
const (
	AmazonRole    = "eks.amazonaws.com/role-arn"
	GoogleAccount = "iam.gke.io/gcp-service-account"
)

// Annotations: docs of Amazon EKS (IAM roles for service accounts) and of Google Kubernetes Engine (Workload Identity).
var cloudIdentities = []cloudIdentity{ //nolint:gochecknoglobals // regular expressions, never changed
	{logs.Amazon, AmazonRole, regexp.MustCompile(`[^/]+$`)},
	{logs.Google, GoogleAccount, regexp.MustCompile(`.+`)},
}

// ActedAs is about the identity that acted, by the words of a refusal, where the service account of the pod names another or none.
type ActedAs struct {
	Who     string // role or account
	Node    string // instance whose role it is; empty: of none
	Named   string // identity that the service account names; empty: none
	Account string
	Cloud   string // annotation by which the cloud binds identities
}

// Mechanism names it.
func (ActedAs) Mechanism() cause.ID { return "acted-as" }

// WhoActed compares the identity that a refusal names with the one that the service account of the pod names. Without a refusal that names
// one, the annotation is shown beside.
func WhoActed(v *View, about *cause.Cause) (out []cause.Cause) {
	if about.Class != cause.Credentials {
		return nil
	}
	account := accountOf(v, about)
	if account == nil {
		return nil
	}
	ref := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: account.Namespace, Name: account.Name, UID: string(account.UID)}
	failed, _ := about.Detail.(logs.Failure)
	for _, cloud := range cloudIdentities {
		at := slices.IndexFunc(failed.Actors, func(a logs.Actor) bool { return a.Cloud == cloud.cloud })
		named := cloud.name.FindString(account.Annotations[cloud.annotation])
		one := cause.Cause{Class: cause.Credentials, Role: about.Role, Subject: ref, At: about.At, Trust: cause.ByEnvironment}
		if named != "" {
			one.Evidence = []cause.Proof{{Object: ref, Field: "metadata.annotations[" + cloud.annotation + "]",
				Value: account.Annotations[cloud.annotation], Beside: at < 0}}
		}
		if at < 0 {
			if named != "" {
				out = append(out, one)
			}
			continue
		}
		by := &failed.Actors[at]
		tells := named != "" || by.Instance != ""
		if tells && by.Name != named {
			one.Detail = ActedAs{Who: by.Name, Node: by.Instance, Named: named, Account: account.Name, Cloud: cloud.annotation}
		}
		if one.Detail != nil || len(one.Evidence) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// accountOf is the service account of the pod that a cause is about; nil: it was not seen.
func accountOf(v *View, c *cause.Cause) *corev1.ServiceAccount {
	p := SubjectPod(v, c)
	if p == nil {
		return nil
	}
	for i := range v.ServiceAccounts {
		if a := &v.ServiceAccounts[i]; a.Namespace == p.Namespace && a.Name == strings.TrimSpace(p.Spec.ServiceAccountName) {
			return a
		}
	}
	return nil
}
