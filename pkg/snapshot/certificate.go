package snapshot

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"time"
)

// Bundle is what a PEM text holds: certificates in DER, parsed again by whoever verifies with them, and what is
// wrong with the text. Problem is a few words, empty if every block is a certificate that parses.
type Bundle struct {
	DER       [][]byte
	Problem   string
	Truncated bool // there are more certificates than are kept
}

// maxCertificates bounds what is kept of one bundle; a CA bundle of all public roots has a few hundred.
const maxCertificates = 512

// ParseBundle reads certificates out of PEM. An empty text is a bundle without certificates and without a problem.
func ParseBundle(text []byte) Bundle {
	var b Bundle
	rest := text
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		switch {
		case block.Type != "CERTIFICATE":
			b.note(fmt.Sprintf("holds a block of type %q", block.Type))
		case len(b.DER) == maxCertificates:
			b.note(fmt.Sprintf("holds more than %d certificates", maxCertificates))
			b.Truncated = true
			return b
		default:
			if _, err := x509.ParseCertificate(block.Bytes); err != nil {
				b.note("holds a certificate that does not parse")
				continue
			}
			b.DER = append(b.DER, block.Bytes)
		}
	}
	if len(text) > 0 && len(b.DER) == 0 {
		b.note("is no PEM certificate")
	}
	return b
}

func (b *Bundle) note(problem string) {
	if b.Problem == "" {
		b.Problem = problem
	}
}

// notBase64 is the problem of a caBundle that was shortened in a dump: the API server stores only base64. Archives hold these words, which
// therefore stay.
const notBase64 = "is no base64"

// Unread is a bundle whose text is no base64, so that nothing is known of its certificates.
func Unread() Bundle { return Bundle{Problem: notBase64} }

// IsUnread reports whether the text was no base64.
func (b Bundle) IsUnread() bool { return len(b.DER) == 0 && b.Problem == notBase64 }

// Empty reports whether there is no certificate and nothing else either.
func (b Bundle) Empty() bool { return len(b.DER) == 0 && b.Problem == "" }

// Certificates parses the bundle; it cannot fail, for only what parses is kept.
func (b Bundle) Certificates() []*x509.Certificate {
	out := make([]*x509.Certificate, 0, len(b.DER))
	for _, der := range b.DER {
		if c, err := x509.ParseCertificate(der); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// KeyState is what was found out about a private key before it was dropped.
type KeyState int

const (
	KeyMatches    KeyState = iota // a PKCS#1 RSA key, the only form that 2.x reads, and it belongs to the certificate
	KeyMissing                    // no key
	KeyGarbage                    // no PEM, or a block that is no key
	KeyOtherType                  // a key that belongs to the certificate, but not PKCS#1 RSA (pkg/certificate/certificate.go@v2.5.2)
	KeyMismatched                 // belongs to another certificate
)

// String returns what was found out in a word.
func (k KeyState) String() string {
	return [...]string{"matches", "missing", "garbage", "other type", "foreign"}[k]
}

// MarshalText writes the word that String gives.
func (k KeyState) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads that word.
func (k *KeyState) UnmarshalText(text []byte) error {
	for one := KeyMatches; one <= KeyMismatched; one++ {
		if one.String() == string(text) {
			*k = one
			return nil
		}
	}
	return fmt.Errorf("%.40q says nothing of a key", text)
}

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

// dates are those at which something happened to the Secret: a certificate is made when it begins to be valid.
func (s *WebhookSecret) dates(see func(time.Time)) {
	see(s.Created)
	for _, p := range []Pair{s.Own, s.CertManager} {
		for _, c := range p.Server.Certificates() {
			see(c.NotBefore.UTC())
		}
	}
}

// ServedCertificate is what one webhook pod answered to a TLS hello for the name of its Service. It is only asked for
// where the user wants it.
type ServedCertificate struct {
	Object            // the pod
	ServerName string // the name that was connected to
	Chain      Bundle // as served, the leaf first
	Problem    string // why there is no chain, in a few words
}
