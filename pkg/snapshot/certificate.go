package snapshot

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
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
