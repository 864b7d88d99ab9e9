package logs

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
)

var (
	endpoint = regexp.MustCompile(`\b([a-zA-Z0-9][\w-]*(?:\.[\w-]+)*(?:/\d{1,3}(?:\.\d{1,3}){3})?:\d{2,5})\b`)
	connects = regexp.MustCompile(`(?i)connect|refused|timed out|unreachable|not available`)
)

const (
	maxNamed = 2   // lines that are quoted for the endpoints that they name
	nearby   = 200 // entries before the failure
)

// named adds which endpoint a client complained of before it gave up, where what it gave up with names none.
func (s *story) named(c candidate) candidate {
	if c.verdict.class != cause.Network || slices.ContainsFunc(c.links, func(l link) bool { return endpoint.MatchString(l.message) }) {
		return c
	}
	var names []string
	for at := c.at - 1; at >= 0 && at >= c.at-nearby && len(names) < maxNamed; at-- {
		e := &s.entries[at]
		if e.level < warn || !connects.MatchString(e.message) || strings.HasPrefix(e.message, "Lost ") {
			continue
		}
		m := endpoint.FindStringSubmatch(e.message)
		if m == nil || slices.Contains(names, m[1]) {
			continue
		}
		names = append(names, m[1])
		c.before = append(c.before, at)
	}
	if len(names) > 0 {
		c.verdict.says += "; the log names " + strings.Join(names, ", ")
	}
	return c
}

// lastWords is the last that was said in earnest before a process ended by itself, where nothing tells why: it proves nothing.
func (s *story) lastWords(how outcome) (candidate, bool) {
	end := len(s.entries)
	if s.stopping >= 0 {
		end = s.stopping
	}
	if how != failed {
		return candidate{}, false
	}
	if s.init {
		end = len(s.entries)
	}
	for at := end - 1; at >= 0 && (at >= end-lastEntries && at > s.work || s.init && at >= end-nearby); at-- {
		e := &s.entries[at]
		spoken := e.level >= failure || e.level == plain && e.uncaught == caught && !hasPrefix(e.first, "+", "#")
		if !spoken || strings.TrimSpace(e.message) == "" {
			continue
		}
		said := &link{message: e.message, text: e.first}
		if f, ok := said.among(wordings()); ok && s.init {
			return candidate{at: at, end: -1, verdict: f.verdict(said, nil)}, true // a program of the shell, such as curl, says why it failed
		}
		return candidate{at: at, end: -1, words: true, verdict: verdict{strength: effectOnly, class: cause.Unknown, root: said,
			says: "its last words in the log are " + quotedWords(e.message)}}, true
	}
	return candidate{}, false
}

// lastEntries is how far before its end the last words of a log are looked for.
const lastEntries = 10

func quotedWords(message string) string {
	return "\"" + shortened(strings.Join(strings.Fields(message), " "), maxSaid) + "\""
}
