package catalog

import (
	"regexp"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Set is signatures in their order: of those that fit a message, the first is meant. It does not change. The nil set has none.
type Set struct {
	entries  []entry
	literals literals // by which texts each can be found
}

// entry is a signature whose expressions are compiled when they are first needed.
type entry struct {
	Signature
	class   func() *regexp.Regexp // nil: for plain lines
	message func() *regexp.Regexp
}

func newSet(signatures []Signature) *Set {
	s := &Set{}
	var needed [][]string
	for _, one := range signatures {
		s.entries, needed = append(s.entries, newEntry(one)), append(needed, one.literals())
	}
	s.literals = newLiterals(needed)
	return s
}

func newEntry(s Signature) entry {
	e := entry{Signature: s, message: lazily(s.Message)}
	if s.Exception != "" {
		e.class = lazily(`^(?:` + s.Exception + `)$`)
	}
	return e
}

func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// literals returns texts one of which is in whatever the signature fits; none if there is no telling.
func (s *Signature) literals() []string {
	ofMessage, ofClass := lazyregexp.Literals(s.Message), lazyregexp.Literals(s.Exception)
	if s.Exception != "" && lazyregexp.Rarer(ofClass, ofMessage) {
		return ofClass
	}
	return ofMessage
}

// Signatures returns all of the set.
func (s *Set) Signatures() []Signature {
	if s == nil {
		return nil
	}
	out := make([]Signature, 0, len(s.entries))
	for i := range s.entries {
		out = append(out, s.entries[i].Signature)
	}
	return out
}

// Exception returns the first signature that fits an exception. The class is its full name ("java.lang.ClassNotFoundException", for
// Python "ModuleNotFoundError" or "pyspark.errors.exceptions.captured.AnalysisException"), the message may have several lines. A
// signature for plain lines fits an exception as well, as "CLASS: MESSAGE".
func (s *Set) Exception(class, message string) (Match, bool) {
	if s == nil {
		return Match{}, false
	}
	class = class[:min(len(class), maxClass)]
	message = message[:min(len(message), maxMessage)]
	text := class + ": " + message
	for _, n := range s.literals.in(text) {
		e := &s.entries[n]
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
func (s *Set) Line(line string) (Match, bool) {
	if s == nil {
		return Match{}, false
	}
	line = line[:min(len(line), maxMessage)]
	for _, n := range s.literals.in(line) {
		if e := &s.entries[n]; e.class == nil {
			if m, ok := e.match(line); ok {
				return m, true
			}
		}
	}
	return Match{}, false
}

// Exception asks the built-in set.
func Exception(class, message string) (Match, bool) { return Builtin().Exception(class, message) }

// Line asks the built-in set.
func Line(line string) (Match, bool) { return Builtin().Line(line) }
