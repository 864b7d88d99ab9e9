package catalog

import (
	"regexp"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// Match is a signature that fits a message, with the groups of the message put into its text.
type Match struct {
	Signature Signature
	Groups    map[string]string // what Says and Next of the signature name, each on one line and not too long
	Says      string
	Next      []command.Command
}

// Exception returns the first signature that fits an exception. The class is its full name ("java.lang.ClassNotFoundException", for
// Python "ModuleNotFoundError" or "pyspark.errors.exceptions.captured.AnalysisException"), the message may have several lines. A
// signature for plain lines fits an exception as well, as "CLASS: MESSAGE".
func Exception(class, message string) (Match, bool) {
	class = class[:min(len(class), maxClass)]
	message = message[:min(len(message), maxMessage)]
	text := class + ": " + message
	for _, n := range compiled().candidates(text) {
		e := &compiled().entries[n]
		about := text
		if e.class != nil {
			if !e.class().MatchString(class) {
				continue
			}
			about = message
		}
		if m, ok := e.match(about); ok {
			return m, true
		}
	}
	return Match{}, false
}

// Line returns the first signature for plain lines that fits a line of a log. Signatures of exceptions do not fit lines: the class is
// what tells them from a message that quotes another.
func Line(line string) (Match, bool) {
	line = line[:min(len(line), maxMessage)]
	for _, n := range compiled().candidates(line) {
		if e := &compiled().entries[n]; e.class == nil {
			if m, ok := e.match(line); ok {
				return m, true
			}
		}
	}
	return Match{}, false
}

const (
	maxClass   = 512
	maxMessage = 16 << 10 // an unresolved dependency names every repository that was tried
	maxGroup   = 240      // of a name that is put into a sentence
)

// entry is a signature whose expressions are compiled when they are first needed.
type entry struct {
	Signature
	class   func() *regexp.Regexp // nil: for plain lines
	message func() *regexp.Regexp
}

// catalogue is all signatures, and by which literal texts each can be found.
type catalogue struct {
	entries  []entry
	literals literals
}

var compiled = sync.OnceValue(func() *catalogue { //nolint:gochecknoglobals // made once, never changed
	c := &catalogue{}
	var needed [][]string
	for _, s := range All() {
		e := entry{Signature: s, message: lazily(s.Message)}
		needs := required(s.Message)
		if s.Exception != "" {
			e.class = lazily(`^(?:` + s.Exception + `)$`)
			needs = better(needs, required(s.Exception))
		}
		c.entries, needed = append(c.entries, e), append(needed, needs)
	}
	c.literals = newLiterals(needed)
	return c
})

func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// candidates returns the numbers of the signatures that may fit a text, in order.
func (c *catalogue) candidates(text string) []int { return c.literals.in(text) }

func (e *entry) match(text string) (Match, bool) {
	regex := e.message()
	at := regex.FindStringSubmatchIndex(text)
	if at == nil {
		return Match{}, false
	}
	groups := map[string]string{}
	for i, name := range regex.SubexpNames() {
		name = strings.TrimRight(name, "0123456789")
		if name != "" && at[2*i] >= 0 && groups[name] == "" {
			groups[name] = short(text[at[2*i]:at[2*i+1]])
		}
	}
	out := Match{Signature: e.Signature, Groups: groups, Says: expand(e.Says, groups)}
	for _, next := range e.Signature.Next {
		next.Text = expand(next.Text, groups)
		out.Next = append(out.Next, next)
	}
	return out, true
}

// expand puts groups into a text. Brackets around groups fall away with what they hold if one of these took no part.
func expand(text string, groups map[string]string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "[")
		inside, after, closed := strings.Cut(rest, "]")
		if !found || !closed {
			filled, _ := fill(text, groups)
			out.WriteString(filled)
			return out.String()
		}
		filled, _ := fill(before, groups)
		out.WriteString(filled)
		switch optional, whole := fill(inside, groups); {
		case optional == inside:
			out.WriteString("[" + inside + "]")
		case whole:
			out.WriteString(optional)
		}
		text = after
	}
}

// fill puts groups into a text, and reports whether all that it names took part.
func fill(text string, groups map[string]string) (filled string, whole bool) {
	whole = true
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			out.WriteString(text)
			return out.String(), whole
		}
		out.WriteString(before + groups[name])
		whole = whole && groups[name] != ""
		text = after
	}
}

// short returns a group as it can stand in a sentence: one line, not too long.
func short(value string) string {
	value, _, _ = strings.Cut(value, ". Received status: Status(") // the same again, as the client of Kubernetes prints it
	value = strings.TrimSpace(strings.Join(strings.Fields(value), " "))
	if len(value) > maxGroup {
		value = strings.ToValidUTF8(value[:maxGroup], "") + "…"
	}
	return value
}
