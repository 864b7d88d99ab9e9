package redact

import (
	"strings"
)

// farthest is how far behind the name of a member its value is looked for.
const farthest = 512

// named finds the value of a member whose name is a value itself: {"name": "KEY", "value": "V"}, {Name:KEY Value:V},
// - name: KEY, <name>KEY</name><value>V</value>.
func (s *scanner) named(word span) {
	sep, at, quoted := s.separated(word)
	if sep == none {
		return
	}
	key := s.value(at, sep, quoted, word)
	if !s.secretName(key) {
		return
	}
	s.reached = s.reached || key.to == len(s.text)
	for at := key.to; at < min(len(s.text), key.to+farthest); {
		if i := strings.IndexByte(s.text[at:min(len(s.text), at+4)], '}'); i >= 0 && at == key.to && i < 2 {
			return
		}
		next, end := s.word(at)
		s.reached = s.reached || next.from == next.to
		if next.from == next.to || strings.ContainsAny(s.text[at:next.from], "}") {
			return
		}
		at = end
		switch s.lower[next.from:next.to] {
		case "name", "key", "valuefrom":
			if sep, _, _ := s.separated(next); sep != none {
				return
			}
		case "value", "default":
			if sep, at, quoted := s.separated(next); sep != none {
				s.add(s.value(at, sep, quoted, next))
			}
		}
	}
}

// valued finds the value of a member that stands before its name: {"value": "V", "name": "KEY"}.
func (s *scanner) valued(word span) {
	sep, at, quoted := s.separated(word)
	if sep == none {
		return
	}
	v := s.value(at, sep, quoted, word)
	next, end := s.word(v.to)
	s.reached = s.reached || end == len(s.text)
	if l := s.lower[next.from:next.to]; l != "name" && l != "key" || strings.ContainsAny(s.text[v.to:next.from], "{}") {
		return
	}
	if sep, at, quoted := s.separated(next); sep != none && s.secretName(s.value(at, sep, quoted, next)) {
		s.add(v)
	}
}

func (s *scanner) add(v span) {
	if !harmless(name{}, s.text[v.from:v.to]) {
		s.found = append(s.found, v)
	}
}

// secretName reports whether a value is the name of a secret.
func (s *scanner) secretName(v span) bool {
	text, _, _ := strings.Cut(s.text[v.from:v.to], "/")
	return len(text) > 0 && !strings.ContainsFunc(text, func(r rune) bool { return !nameByte(r) }) && read(strings.Trim(text, "-")).secret()
}
