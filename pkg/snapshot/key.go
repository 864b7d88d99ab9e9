package snapshot

import (
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
