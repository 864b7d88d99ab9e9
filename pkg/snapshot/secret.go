package snapshot

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// WebhookSecret is a Secret that holds the webhook's certificate, without its private keys: a key is compared with
// its certificate while decoding and dropped.
type WebhookSecret struct {
	Object
	CertManager bool     // keys tls.crt, tls.key, ca.crt instead of the operator's own four
	EmptyKeys   []string // keys that should hold something and are missing or empty
	CA          Bundle
	Server      Bundle
	Key         KeyState
	Managers    []FieldManager // who owns .data
}

// KeyState is what was found out about the server's private key before it was dropped.
type KeyState int

const (
	KeyMatches   KeyState = iota // a PKCS#1 RSA key, the only form that 2.x reads, and it belongs to the certificate
	KeyMissing                   // no key
	KeyGarbage                   // no PEM, or a block that is no key
	KeyOtherType                 // a key, but not PKCS#1 RSA (pkg/certificate/certificate.go@v2.5.2)
	KeyForeign                   // belongs to another certificate
)

// ownKeys are the Secret's keys up to now (pkg/certificate/certificate.go@v2.5.2, hack/gencerts.sh@chart-1.3.0);
// certManagerKeys are those that cert-manager writes (2.2.0 and later with certManager.enable).
func ownKeys() []string {
	return []string{"ca-key.pem", "ca-cert.pem", "server-key.pem", "server-cert.pem"}
}

func certManagerKeys() []string { return []string{"tls.crt", "tls.key", "ca.crt"} }

// webhookSecretFrom narrows a Secret; it returns nil for one that holds no webhook certificate.
func webhookSecretFrom(s *corev1.Secret, loc Location) *WebhookSecret {
	out := &WebhookSecret{Object: objectFrom("v1", "Secret", &s.ObjectMeta, loc), Managers: managersOf(&s.ObjectMeta, "f:data")}
	has := func(key string) bool { _, ok := s.Data[key]; return ok }
	keys, ca, server, private := ownKeys(), "ca-cert.pem", "server-cert.pem", "server-key.pem"
	switch {
	case slices.ContainsFunc(ownKeys(), has):
	case slices.ContainsFunc(certManagerKeys(), has):
		out.CertManager = true
		keys, ca, server, private = certManagerKeys(), "ca.crt", "tls.crt", "tls.key"
	case len(s.Data) > 0:
		return nil
	}
	for _, key := range keys {
		if len(s.Data[key]) == 0 {
			out.EmptyKeys = append(out.EmptyKeys, key)
		}
	}
	out.CA, out.Server = ParseBundle(s.Data[ca]), ParseBundle(s.Data[server])
	out.Key = keyState(s.Data[private], out.Server)
	return out
}

func keyState(text []byte, server Bundle) KeyState {
	if len(text) == 0 {
		return KeyMissing
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return KeyGarbage
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		if _, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			return KeyOtherType
		}
		if _, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
			return KeyOtherType
		}
		return KeyGarbage
	}
	certificates := server.Certificates()
	if len(certificates) == 0 {
		return KeyMatches // the certificate is what is wrong
	}
	public, ok := certificates[0].PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !public.Equal(&key.PublicKey) {
		return KeyForeign
	}
	return KeyMatches
}
