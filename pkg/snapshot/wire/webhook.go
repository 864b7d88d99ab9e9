package wire

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func mutatingFrom(c *admissionv1.MutatingWebhookConfiguration, loc snapshot.Location) *snapshot.WebhookConfiguration {
	out := snapshot.WebhookConfiguration{
		Object: objectFrom("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", &c.ObjectMeta, loc),
	}
	narrow(&out, &c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return &out
}

func validatingFrom(c *admissionv1.ValidatingWebhookConfiguration, loc snapshot.Location) *snapshot.WebhookConfiguration {
	out := snapshot.WebhookConfiguration{
		Object: objectFrom("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", &c.ObjectMeta, loc),
	}
	narrow(&out, &c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return &out
}

// narrow keeps what cert-manager and field managers say (cert-manager.io/docs/concepts/ca-injector).
func narrow(c *snapshot.WebhookConfiguration, m *metav1.ObjectMeta) {
	switch from := m.Annotations; {
	case from["cert-manager.io/inject-ca-from"] != "":
		c.InjectedFrom = "Certificate " + from["cert-manager.io/inject-ca-from"]
	case from["cert-manager.io/inject-ca-from-secret"] != "":
		c.InjectedFrom = "Secret " + from["cert-manager.io/inject-ca-from-secret"]
	case from["cert-manager.io/inject-apiserver-ca"] == "true":
		c.InjectedFrom = "the API server's own CA"
	}
	c.Managers = managersOf(m, "f:caBundle", "f:failurePolicy")
}

func webhookFrom(
	name string, policy *admissionv1.FailurePolicyType, client admissionv1.WebhookClientConfig,
	namespaces, objects *metav1.LabelSelector, rules []admissionv1.RuleWithOperations,
) snapshot.Webhook {
	out := snapshot.Webhook{Name: name, FailurePolicy: string(admissionv1.Fail), NamespaceSelector: namespaces, ObjectSelector: objects}
	if policy != nil {
		out.FailurePolicy = string(*policy)
	}
	out.CABundle = snapshot.ParseBundle(client.CABundle)
	if s := client.Service; s != nil {
		out.Service = snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Service"}, Namespace: s.Namespace, Name: s.Name}
		out.Port = 443
		if s.Port != nil {
			out.Port = *s.Port
		}
		if s.Path != nil {
			out.Path = *s.Path
		}
	}
	for _, r := range rules {
		rule := snapshot.WebhookRule{Groups: r.APIGroups, Resources: r.Resources}
		for _, op := range r.Operations {
			rule.Operations = append(rule.Operations, string(op))
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

func endpointSliceFrom(e *discoveryv1.EndpointSlice, loc snapshot.Location) *snapshot.EndpointSlice {
	out := snapshot.EndpointSlice{
		Object: objectFrom("discovery.k8s.io/v1", "EndpointSlice", &e.ObjectMeta, loc), Service: e.Labels[discoveryv1.LabelServiceName],
	}
	out.Ports = make([]string, 0, len(e.Ports))
	for _, p := range e.Ports {
		name := ""
		if p.Name != nil {
			name = *p.Name
		}
		out.Ports = append(out.Ports, name)
	}
	for _, ep := range e.Endpoints {
		// A nil Ready means ready (k8s.io/api/discovery/v1 EndpointConditions).
		if ep.Conditions.Ready == nil || *ep.Conditions.Ready {
			out.Ready += len(ep.Addresses)
			if ep.TargetRef != nil && ep.TargetRef.Kind == "Pod" {
				out.Pods = append(out.Pods, ep.TargetRef.Name)
			}
		}
	}
	return &out
}

// keyState compares a key with the first certificate of a bundle. Where there is none, that is what is wrong.
func keyState(text []byte, certificates snapshot.Bundle) snapshot.KeyState {
	if len(text) == 0 {
		return snapshot.KeyMissing
	}
	private, pkcs1 := parseKey(text)
	if private == nil {
		return snapshot.KeyGarbage
	}
	if list := certificates.Certificates(); len(list) > 0 {
		public, ok := private.Public().(interface{ Equal(crypto.PublicKey) bool })
		if !ok || !public.Equal(list[0].PublicKey) {
			return snapshot.KeyMismatched
		}
	}
	if !pkcs1 {
		return snapshot.KeyOtherType
	}
	return snapshot.KeyMatches
}

// parseKey reads the first key of a PEM text, as crypto/tls does: openssl writes parameters of a curve before it.
func parseKey(text []byte) (private crypto.Signer, pkcs1 bool) {
	block, rest := pem.Decode(text)
	first := true
	for block != nil && block.Type == "EC PARAMETERS" {
		block, rest = pem.Decode(rest)
		first = false
	}
	if block == nil {
		return nil, false
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, first
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		signer, ok := key.(crypto.Signer)
		if !ok {
			return nil, false
		}
		return signer, false
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, false
	}
	return nil, false
}

// ownKeys are the Secret's keys up to now (pkg/certificate/certificate.go@v2.5.2, hack/gencerts.sh@chart-1.3.0);
// certManagerKeys are those that cert-manager writes (2.2.0 and later with certManager.enable).
func ownKeys() []string {
	return []string{"ca-key.pem", "ca-cert.pem", "server-key.pem", "server-cert.pem"}
}

func certManagerKeys() []string { return []string{"tls.crt", "tls.key", "ca.crt"} }

// webhookSecretFrom narrows a Secret; it returns nil for one that holds no webhook certificate.
func webhookSecretFrom(s *corev1.Secret, loc snapshot.Location) *snapshot.WebhookSecret {
	has := func(key string) bool { _, ok := s.Data[key]; return ok }
	if len(s.Data) > 0 && !slices.ContainsFunc(slices.Concat(ownKeys(), certManagerKeys()), has) {
		return nil
	}
	ca := snapshot.ParseBundle(s.Data["ca-cert.pem"])
	return &snapshot.WebhookSecret{
		Object: objectFrom("v1", "Secret", &s.ObjectMeta, loc), Managers: managersOf(&s.ObjectMeta, "f:data"),
		TrackedBy:   trackedBy(&s.ObjectMeta),
		Own:         pairFrom(s.Data, ownKeys(), ca, "server-cert.pem", "server-key.pem", keyState(s.Data["ca-key.pem"], ca)),
		CertManager: pairFrom(s.Data, certManagerKeys(), snapshot.ParseBundle(s.Data["ca.crt"]), "tls.crt", "tls.key", snapshot.KeyMatches),
	}
}

func pairFrom(data map[string][]byte, keys []string, ca snapshot.Bundle, server, private string, caKey snapshot.KeyState) snapshot.Pair {
	p := snapshot.Pair{CA: ca, Server: snapshot.ParseBundle(data[server]), CAKey: caKey}
	for _, key := range keys {
		if len(data[key]) == 0 {
			p.Empty = append(p.Empty, key)
		}
	}
	p.Key = keyState(data[private], p.Server)
	return p
}
