package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a string from a cluster safe for a terminal: what does not show, control characters (ESC and the C1 set
// included) and bidirectional controls for instance, and bytes that are no UTF-8 become visible escapes. So does what GitHub Actions takes
// for a command wherever it stands in a line of a log (src/Runner.Common/ActionCommand.cs of actions/runner).
func Escape(s string) string {
	if strings.Contains(s, "##[") {
		s = strings.ReplaceAll(s, "##[", `\x23#[`)
	}
	if !strings.ContainsFunc(s, unsafe) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unsafe(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unsafe(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case unsafe(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// unsafe reports whether a rune is none that shows: a control or format character, such as bidirectional controls and tags,
// a line separator, or one that is private, unassigned or no character at all, so that any font may show anything.
func unsafe(r rune) bool {
	if r < utf8.RuneSelf { // nearly all: a report of a fleet has millions
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsGraphic(r)
}
