package check

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Fingerprint names the finding in reports, baselines and suppressions. It stays the same when objects are re-created:
// it holds the check, the kind, the namespace, the Spark object that owns the object (else its own name) and what
// was found, and never UIDs, generated names or counts.
func (f *Reported) Fingerprint() string {
	parts := []string{f.Check, f.Object.GroupKind().String(), f.Object.Namespace, cmp.Or(f.App, f.Object.Name), f.name()}
	if f.Cause != "" {
		parts = []string{f.Check, f.Cause}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(f.Check) + "-" + hex.EncodeToString(sum[:6])
}
