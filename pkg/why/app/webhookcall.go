package app

import (
	"crypto/x509"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Trusted is a webhook, the CA that the API server trusts when it calls it, and the CA in the Secret of the Service that it calls.
type Trusted struct {
	Config  snapshot.Ref
	Created time.Time // the configuration
	Webhook string
	Service snapshot.Key
	// Policy is the failurePolicy of one that is called for pods of applications; empty: it is called for other objects.
	Policy string
	// Bundle is the first certificate of caBundle, CA that of the Secret; nil: there is none.
	Bundle, CA *x509.Certificate
	Empty      bool         // caBundle holds nothing: the API server asks the roots of its own system then
	Secret     snapshot.Ref // empty: none, or more than one, was seen in the Service's namespace
	Key        string       // of the Secret, that holds the CA
	// Writer wrote caBundle last, by managedFields; zero: they do not tell.
	Writer snapshot.FieldManager
	// Source is what deploys the configuration, by its labels: "Kustomization flux-system/platform"; empty: they do not tell.
	Source string
	// Injected is what cert-manager's cainjector fills caBundle from; empty: it does not.
	Injected string
}

// Agrees reports whether caBundle holds the CA of the Secret, or its key: a CA that was renewed with its key still signs what it signed. Of
// several certificates it is not known.
func (t *Trusted) Agrees() bool {
	if t.Empty {
		return false
	}
	return t.Bundle == nil || t.CA == nil || t.Bundle.Equal(t.CA) ||
		slices.Equal(t.Bundle.RawSubjectPublicKeyInfo, t.CA.RawSubjectPublicKeyInfo)
}

// TrustedBy are the webhooks of a snapshot whose caBundle holds one certificate, as the operator and cert-manager write it.
func TrustedBy(s *snapshot.Snapshot) []Trusted {
	var out []Trusted
	for _, list := range [][]snapshot.WebhookConfiguration{s.MutatingWebhooks(), s.ValidatingWebhooks()} {
		for i := range list {
			c := &list[i]
			for j := range c.Webhooks {
				w := &c.Webhooks[j]
				one := Trusted{Config: c.Ref, Created: c.Created, Webhook: w.Name, Service: w.Service, Empty: w.CABundle.Empty(),
					Writer: snapshot.LastWriter(c.Managers, "f:caBundle"), Source: deployedBy(&c.Object), Injected: c.InjectedFrom}
				if bundle := w.CABundle.Certificates(); len(bundle) == 1 && !w.CABundle.Truncated {
					one.Bundle = bundle[0]
				}
				one.secret(s)
				if c.Mutating() && w.Intercepts("CREATE", anyPod()) && calledForPods(w) {
					one.Policy = w.FailurePolicy
				}
				out = append(out, one)
			}
		}
	}
	return out
}

// secret finds the CA of the Service's certificate: that of the only Secret of its namespace that holds one for a webhook, under the keys
// of the operator (pkg/certificate/certificate.go@v2.5.2), or of cert-manager.
func (t *Trusted) secret(s *snapshot.Snapshot) {
	of := slices.DeleteFunc(slices.Clone(s.WebhookSecrets()), func(one snapshot.WebhookSecret) bool {
		return t.Service.Name == "" || one.Namespace != t.Service.Namespace
	})
	if len(of) != 1 {
		return
	}
	for _, form := range []struct {
		key  string
		pair *snapshot.Pair
	}{{"ca-cert.pem", &of[0].Own}, {"ca.crt", &of[0].CertManager}} {
		if list := form.pair.CA.Certificates(); len(list) == 1 {
			t.Secret, t.Key, t.CA = of[0].Ref, form.key, list[0]
			return
		}
	}
}

// deployedBy is what a GitOps tool or Helm made an object of, by the labels that it sets (fluxcd/kustomize-controller
// internal/controller/kustomization_controller.go@v1.6.0 and fluxcd/helm-controller internal/postrender/labels.go@v1.3.0; argo-cd
// docs/user-guide/resource_tracking.md@v2.14.0: the label by default).
func deployedBy(o *snapshot.Object) string {
	for _, by := range []struct{ kind, prefix string }{{"Kustomization", "kustomize"}, {"HelmRelease", "helm"}} {
		if name := o.Labels.Get(by.prefix + ".toolkit.fluxcd.io/name"); name != "" {
			return by.kind + " " + o.Labels.Get(by.prefix+".toolkit.fluxcd.io/namespace") + "/" + name
		}
	}
	if name := o.Labels.Get("argocd.argoproj.io/instance"); name != "" {
		return "Argo CD application " + name
	}
	return ""
}
