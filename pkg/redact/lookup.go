package redact

import (
	"slices"
	"strings"
)

// sought is what is looked for: a text, or any of the bytes of one.
type sought struct {
	text string
	any  bool
}

// lookedUp is where it was found, from where on.
type lookedUp struct {
	sought
	span
}

// next returns where a text stands at an offset or behind it; the end of all text where it does not. It remembers: a line of megabytes
// may be full of headers, each of which asks for the end of the line.
func (s *scanner) next(text string, at int) int { return s.lookUp(sought{text, false}, at) }

// nextAny returns the same for any of some bytes.
func (s *scanner) nextAny(bytes string, at int) int { return s.lookUp(sought{bytes, true}, at) }

func (s *scanner) lookUp(what sought, at int) int {
	last := slices.IndexFunc(s.last, func(l lookedUp) bool { return l.sought == what })
	if last >= 0 && s.last[last].from <= at && at <= s.last[last].to {
		return s.last[last].to
	}
	var i int
	if what.any {
		i = strings.IndexAny(s.text[at:], what.text)
	} else {
		i = strings.Index(s.text[at:], what.text)
	}
	found := span{at, len(s.text)}
	if i >= 0 {
		found.to = at + i
	}
	s.meter.looked(found.to - at)
	if last < 0 {
		s.last = append(s.last, lookedUp{what, found})
	} else {
		s.last[last].span = found
	}
	return found.to
}
