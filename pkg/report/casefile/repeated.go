package casefile

import (
	"regexp"
	"strings"
	"sync"
)

// fewestRepeated is how many words a quote repeats before they count as said twice: names and codes may stand in both.
const fewestRepeated = 6

// unrepeated leaves out of a statement what the quote below it says in the same words: its end, behind a colon. What stands in brackets
// after that, whose words they were, stays.
func unrepeated(text, quote string) (string, bool) {
	quote = oneLine(quote)
	for at := 0; ; {
		colon := strings.Index(text[at:], ": ")
		if colon < 0 {
			return text, false
		}
		at += colon + len(": ")
		said, whose := strings.TrimRight(text[at:], "."), ""
		if open := strings.LastIndex(said, " ("); open > 0 && strings.HasSuffix(said, ")") && !strings.Contains(quote, said) {
			said, whose = said[:open], said[open:]
		}
		said = strings.TrimSuffix(said, "…")
		if len(strings.Fields(said)) >= fewestRepeated && strings.Contains(quote, said) {
			return text[:at-len(": ")] + whose, true
		}
	}
}

// noise is what senders put around a message for a machine, or for their support: the time of a line whose time stands in front of it
// already, ids of requests and traces (software.amazon.awssdk AwsErrorDetails; AADSTS errors of Entra ID), and how a client of Kubernetes
// prints a Status (OperationSupport.java@v6.7.2 of fabric8io/kubernetes-client).
var noise = sync.OnceValue(func() []*regexp.Regexp { //nolint:gochecknoglobals // compiled once, never changed
	var out []*regexp.Regexp
	for _, one := range []string{
		`^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?Z? (?:WARN|ERROR|INFO|FATAL) +`,
		` Received status: Status\(.*$`,
		`^Failure executing: [A-Z]{1,10} at: \S{1,300} Message: `,
		`,? ?(?:S3 )?(?:Extended )?Request ID: [^\s,;)]{1,200}[;,]?`,
		`,? ?Proxy: null`,
		` ?(?:Trace|Correlation) ID: [0-9a-f-]{8,64}`,
		` ?Timestamp: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`,
		` ?RequestId:[0-9a-f-]{8,64}(?: Time:\S{1,40})?`,
	} {
		out = append(out, regexp.MustCompile(one))
	}
	return out
})

// quiet is a quoted line without that.
func quiet(line string) string {
	for _, one := range noise() {
		line = one.ReplaceAllString(line, "")
	}
	return line
}
