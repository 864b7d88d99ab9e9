package words

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// sentence is what another program said, as part of a sentence of ours: one line, without a full stop, cut in the middle where it is long.
// Programs of Kubernetes wrap an error from the left, so that its cause stands at the end.
func sentence(text string) string {
	text = untold.ReplaceAllString(withoutLog(text), "")
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

// untold matches what tells a reader nothing: frames of Java, which say where and not what, in lines of their own or in one that a client
// made of them; and what AWS says for its own tools (docs.aws.amazon.com/STS/latest/APIReference/API_DecodeAuthorizationMessage.html).
var untold = lazyregexp.New(`\s+at (?:[\w.]{1,40}/)?[\w$.<>]{1,300}\((?:[\w$-]{1,100}\.(?:java|scala|kt)(?::\d{1,6})?|Native Method|` +
	`Unknown Source)\)|\s+\.\.\. \d{1,5} more\b|\s+Encoded authorization failure message: \S+`)

// logLine matches where spark-submit logs, in the format of log4j.
var logLine = lazyregexp.New(`\s*\d\d/\d\d/\d\d \d\d:\d\d:\d\d (?:INFO|WARN) `)

// withoutLog is what the operator recorded of spark-submit up to what it logged, unless an error follows.
func withoutLog(text string) string {
	at := logLine.FindStringIndex(text)
	if at == nil || at[0] == 0 || strings.Contains(text[at[1]:], "Exception") || strings.Contains(text[at[1]:], " ERROR ") {
		return text
	}
	return strings.TrimSuffix(unwrapped(text[:at[0]]), ":")
}

// submitWrapper stands before what spark-submit said, once for each function of the operator that hands its error on.
const submitWrapper = "failed to run spark-submit: "

// unwrapped is a text without them.
func unwrapped(text string) string {
	for strings.HasPrefix(text, submitWrapper) {
		text = strings.TrimPrefix(text, submitWrapper)
	}
	return text
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
