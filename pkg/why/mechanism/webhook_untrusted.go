package mechanism

import (
	"crypto/x509"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// WebhookUntrusted is a webhook whose certificate the API server does not trust: caBundle of its configuration is empty, or holds another
// CA than the Secret of the webhook. One that was renewed with its key looks alike, and so does a Secret, or a configuration, that was made
// after the call failed.
type WebhookUntrusted struct {
	Config snapshot.Ref
	Secret snapshot.Ref
	Key    string                // of the Secret, that holds the CA
	Bundle Certificate           // zero: caBundle is empty
	CA     Certificate           // zero: the Secret was not seen
	Writer snapshot.FieldManager // of caBundle, the last one; zero: not known
	Source string                // what deploys the configuration: "Kustomization flux-system/platform"; empty: not known
	// Injected is what cert-manager's cainjector fills caBundle from; empty: it does not.
	Injected string
	Restart  snapshot.Ref // the Deployment of the webhook; zero: not known
}

// Certificate is what tells a certificate from others.
type Certificate struct {
	Name         string // CN of its subject
	Since, Until time.Time
}

// Mechanism names it.
func (WebhookUntrusted) Mechanism() cause.ID { return "webhook-untrusted" }

// UntrustedWebhook compares the CA that the API server trusts with that of the webhook which it could not call.
func UntrustedWebhook(v *View, about *cause.Cause) (cause.Cause, bool) {
	r := refusalOf(about)
	if r == nil || r.Kind != WebhookUncalled || r.Fault != UnknownAuthority {
		return cause.Cause{}, false
	}
	at := slices.IndexFunc(v.Trusts, func(t app.Trusted) bool { return t.Webhook == r.Name })
	if at < 0 || v.Trusts[at].Agrees() {
		return cause.Cause{}, false
	}
	t := &v.Trusts[at]
	made := t.Created
	if t.CA != nil && t.CA.NotBefore.After(made) {
		made = t.CA.NotBefore
	}
	if !about.At.IsZero() && made.After(about.At) {
		return cause.Cause{}, false
	}
	d := WebhookUntrusted{Config: t.Config, Secret: t.Secret, Key: t.Key, Bundle: certificateOf(t.Bundle), CA: certificateOf(t.CA),
		Writer: t.Writer, Source: t.Source, Injected: t.Injected, Restart: v.webhookDeployment(t.Service.Namespace)}
	out := cause.Cause{Class: cause.Submission, Role: cause.OperatorRole, Certainty: check.Proven, Subject: t.Config, At: about.At,
		Trust: cause.BySpec, Detail: d, Evidence: []cause.Proof{
			{Object: t.Config, Field: "webhooks[" + t.Webhook + "].clientConfig.caBundle", Value: subjectOf(t.Bundle)},
		}}
	if t.CA != nil {
		out.Evidence = append(out.Evidence, cause.Proof{Object: t.Secret, Field: "data." + t.Key, Value: subjectOf(t.CA)})
	}
	if t.Writer.Manager != "" {
		out.Evidence = append(out.Evidence, cause.Proof{Object: t.Config, Field: "metadata.managedFields f:caBundle", Value: t.Writer.Manager,
			At: t.Writer.Time})
	}
	return out, true
}

func certificateOf(c *x509.Certificate) Certificate {
	if c == nil {
		return Certificate{}
	}
	return Certificate{Name: c.Subject.CommonName, Since: c.NotBefore.UTC(), Until: c.NotAfter.UTC()}
}

// subjectOf is a certificate in a line.
func subjectOf(c *x509.Certificate) string {
	if c == nil {
		return "empty"
	}
	return c.Subject.String() + ", valid from " + c.NotBefore.UTC().Format(time.DateOnly) + " to " + c.NotAfter.UTC().Format(time.DateOnly)
}

// webhookDeployment is the Deployment of the operator's webhook in a namespace, by the ReplicaSet that owns its pod, whose name ends with
// the hash of the pod's template (pkg/controller/deployment/sync.go of kubernetes@v1.36.3).
func (v *View) webhookDeployment(namespace string) snapshot.Ref {
	for i := range v.Webhook {
		p := &v.Webhook[i]
		for _, o := range p.OwnerReferences {
			if name := withoutHash(o.Name); p.Namespace == namespace && o.Kind == "ReplicaSet" && name != "" {
				return snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name}
			}
		}
	}
	return snapshot.Ref{}
}

// withoutHash is the name of a ReplicaSet without the hash at its end; empty: it has none.
func withoutHash(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}
