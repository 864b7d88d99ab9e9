package words

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// sentence is what another program said, as part of a sentence of ours: one line, without a full stop, cut in the middle where it is long.
// Programs of Kubernetes wrap an error from the left, so that its cause stands at the end.
func sentence(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "."))
	if text == "" {
		return "no message says more"
	}
	const most, head = 400, 160
	if line := phrase.OneLine(text, len(text)); len(line) > most {
		return strings.ToValidUTF8(line[:head], "") + "… " + strings.ToValidUTF8(line[len(line)-(most-head):], "")
	}
	return phrase.OneLine(text, most)
}

// age is how long something lasts or ago it is. Clocks differ: what lies ahead began now.
func age(d time.Duration) string { return phrase.Span(d) }

// lasting, ago and within are age in a sentence, with a space before it: " for 3h", " 3h ago", " in 3h". A time
// that is not known is not said.
func lasting(d time.Duration) string { return said(d, " for ", "") }
func ago(d time.Duration) string     { return said(d, " ", " ago") }
func within(d time.Duration) string  { return said(d, " in ", "") }

func said(d time.Duration, before, after string) string {
	if !isKnown(d) {
		return ""
	}
	return before + age(d) + after
}

// behind is a text behind what divides it from the one before; empty: there is none.
func behind(divider, text string) string {
	if text == "" {
		return ""
	}
	return divider + text
}

// isKnown reports whether a duration is between two times that are: one of them is missing where hundreds of years lie between them, as
// between now and the zero time.
func isKnown(d time.Duration) bool { return d.Abs() < 100*365*24*time.Hour }
