package snapshot

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// KeyState is what was found out about a private key before it was dropped.
type KeyState int

const (
	KeyMatches   KeyState = iota // a PKCS#1 RSA key, the only form that 2.x reads, and it belongs to the certificate
	KeyMissing                   // no key
	KeyGarbage                   // no PEM, or a block that is no key
	KeyOtherType                 // a key that belongs to the certificate, but not PKCS#1 RSA (pkg/certificate/certificate.go@v2.5.2)
	KeyForeign                   // belongs to another certificate
)

// String returns what was found out in a word.
func (k KeyState) String() string {
	return [...]string{"matches", "missing", "garbage", "other type", "foreign"}[k]
}

// MarshalText writes the word that String gives.
func (k KeyState) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads that word.
func (k *KeyState) UnmarshalText(text []byte) error {
	for one := KeyMatches; one <= KeyForeign; one++ {
		if one.String() == string(text) {
			*k = one
			return nil
		}
	}
	return fmt.Errorf("%.40q says nothing of a key", text)
}

// keyState compares a key with the first certificate of a bundle. Where there is none, that is what is wrong.
func keyState(text []byte, certificates Bundle) KeyState {
	if len(text) == 0 {
		return KeyMissing
	}
	private, pkcs1 := parseKey(text)
	if private == nil {
		return KeyGarbage
	}
	if list := certificates.Certificates(); len(list) > 0 {
		public, ok := private.Public().(interface{ Equal(crypto.PublicKey) bool })
		if !ok || !public.Equal(list[0].PublicKey) {
			return KeyForeign
		}
	}
	if !pkcs1 {
		return KeyOtherType
	}
	return KeyMatches
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
