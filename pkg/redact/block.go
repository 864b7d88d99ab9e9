package redact

import (
	"sort"
	"strings"
)

// line is a line with text on it: where it begins, how many blanks are in front of the text, and where the text ends.
type line struct{ from, depth, to int }

// blockHeader reports whether a line ends behind what begins a block of YAML: |, >, |-, >2+.
func (s *scanner) blockHeader(at int) bool {
	rest := strings.TrimLeft(s.text[at+1:], "+-0123456789")
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || strings.HasPrefix(rest, "\n")
}

// block returns the lines of a block of YAML: those that are deeper than the name. Blocks may be in each other, so that blank lines,
// which belong to all of them, are found once.
func (s *scanner) block(at int, word span) span {
	if s.lines == nil {
		s.lines = linesOf(s.text)
		s.meter.looked(len(s.text))
	}
	depth, from := s.depth(word), s.next("\n", at)+1
	first := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].from >= from })
	end, last := len(s.text), first
	for ; last < len(s.lines); last++ {
		s.meter.looked(1)
		if s.lines[last].depth <= depth {
			end = s.lines[last].from
			break
		}
	}
	s.reached = s.reached || end == len(s.text)
	if first == last {
		if last == len(s.lines) || s.ownMember(s.lines[last]) {
			return span{at, at}
		}
		last++ // no YAML: what wrote it moved the name, or the line with the value
	}
	return span{s.lines[first].from + s.lines[first].depth, s.lines[last-1].to}
}

// ownMember reports whether a line is a member, an item or a document of its own, and so belongs to no block before it.
func (s *scanner) ownMember(l line) bool {
	text := s.text[l.from+l.depth : l.to]
	s.meter.looked(len(text))
	return strings.Contains(text, ": ") || strings.HasSuffix(strings.TrimRight(text, "\r"), ":") || strings.HasPrefix(text, "- ") ||
		strings.HasPrefix(text, "--- ") || text == "---"
}

// linesOf returns the lines of a text that are not blank.
func linesOf(text string) []line {
	var out []line
	for at := 0; at < len(text); {
		next := lineAt(text, at)
		body := strings.TrimLeft(text[at:next.to], " ")
		if body != "" {
			out = append(out, line{at, next.to - at - len(body), at + len(strings.TrimRight(text[at:next.to], " "))})
		}
		at = next.to + 1
	}
	return out
}
