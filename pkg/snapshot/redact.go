package snapshot

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"

// Redacted stands where a secret was.
const Redacted = redact.Mark

// Redact takes secrets out of a text that a cluster supplied.
func Redact(text string) string { return redact.Text(text) }
