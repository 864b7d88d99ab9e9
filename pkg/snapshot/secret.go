package snapshot

import (
	"time"
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

// dates are those at which something happened to the Secret: a certificate is made when it begins to be valid.
func (s *WebhookSecret) dates(see func(time.Time)) {
	see(s.Created)
	for _, p := range []Pair{s.Own, s.CertManager} {
		for _, c := range p.Server.Certificates() {
			see(c.NotBefore.UTC())
		}
	}
}
