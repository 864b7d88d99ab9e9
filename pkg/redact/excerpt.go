package redact

import "strings"

// Excerpt returns the beginning of a text without secrets. A secret that is cut in half could not be told from other
// text, so that more is looked at than is kept.
func Excerpt[T ~string | ~[]byte](text T, keep int) string {
	if len(text) == 0 {
		return ""
	}
	window := min(len(text), 4*keep)
	out := Text(strings.ToValidUTF8(string(text[:window]), ""))
	if window < len(text) && len(out) <= keep {
		out = out[:len(out)/2] // all but little was secrets, and the last one may have lost its end
	}
	if len(out) <= keep {
		return strings.ToValidUTF8(out, "")
	}
	return Text(strings.ToValidUTF8(out[:keep], "")) // the mark of a secret may be cut
}
