package snapshot

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// WebhookSecret is a Secret that holds the webhook's certificate, without its private keys: a key is compared with
// its certificate while decoding and dropped. It may hold both forms, when cert-manager took over a Secret.
type WebhookSecret struct {
	Object
	Own         Pair           // the operator's own keys
	CertManager Pair           // cert-manager's keys
	Managers    []FieldManager // who owns .data
	TrackedBy   string         // the annotation or label by which Argo CD holds the Secret for its own
}

// Pair is a certificate and its CA under the keys of one form.
type Pair struct {
	Empty  []string // keys that should hold something and are missing or empty
	CA     Bundle
	Server Bundle
	Key    KeyState // of the server
	CAKey  KeyState // KeyMatches where the form has none
}

// ownKeys are the Secret's keys up to now (pkg/certificate/certificate.go@v2.5.2, hack/gencerts.sh@chart-1.3.0);
// certManagerKeys are those that cert-manager writes (2.2.0 and later with certManager.enable).
func ownKeys() []string {
	return []string{"ca-key.pem", "ca-cert.pem", "server-key.pem", "server-cert.pem"}
}

func certManagerKeys() []string { return []string{"tls.crt", "tls.key", "ca.crt"} }

// webhookSecretFrom narrows a Secret; it returns nil for one that holds no webhook certificate.
func webhookSecretFrom(s *corev1.Secret, loc Location) *WebhookSecret {
	has := func(key string) bool { _, ok := s.Data[key]; return ok }
	if len(s.Data) > 0 && !slices.ContainsFunc(slices.Concat(ownKeys(), certManagerKeys()), has) {
		return nil
	}
	ca := ParseBundle(s.Data["ca-cert.pem"])
	return &WebhookSecret{
		Object: objectFrom("v1", "Secret", &s.ObjectMeta, loc), Managers: managersOf(&s.ObjectMeta, "f:data"), TrackedBy: trackedBy(&s.ObjectMeta),
		Own:         pairFrom(s.Data, ownKeys(), ca, "server-cert.pem", "server-key.pem", keyState(s.Data["ca-key.pem"], ca)),
		CertManager: pairFrom(s.Data, certManagerKeys(), ParseBundle(s.Data["ca.crt"]), "tls.crt", "tls.key", KeyMatches),
	}
}

func pairFrom(data map[string][]byte, keys []string, ca Bundle, server, private string, caKey KeyState) Pair {
	p := Pair{CA: ca, Server: ParseBundle(data[server]), CAKey: caKey}
	for _, key := range keys {
		if len(data[key]) == 0 {
			p.Empty = append(p.Empty, key)
		}
	}
	p.Key = keyState(data[private], p.Server)
	return p
}

// times are those at which something happened to the Secret: a certificate is made when it begins to be valid.
func (s *WebhookSecret) times() []time.Time {
	out := []time.Time{s.Created}
	for _, p := range []Pair{s.Own, s.CertManager} {
		for _, c := range p.Server.Certificates() {
			out = append(out, c.NotBefore.UTC())
		}
	}
	return out
}
