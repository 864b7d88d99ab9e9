package redact

import "strings"

// below returns where the value of a name begins that stands on the next line, deeper than the name, as in YAML, or behind a line that
// goes on: password=\. A member
// or a sentence says nothing of the name before it.
func (s *scanner) below(at int, word span) (int, bool) {
	next := s.space(at)
	if next == len(s.text) {
		s.reached = true
		return 0, false
	}
	item := next
	if s.at(next) == '-' && s.at(next+1) == ' ' {
		item = s.blanks(next + 1)
	}
	column := next - 1 - at - strings.LastIndexByte(s.text[at:next], '\n')
	deeper := column > s.depth(word) || item > next && column == s.depth(word)
	if s.at(at) != '\\' && !deeper {
		return 0, false
	}
	if quote(s.at(s.slashes(item))) {
		return item, true
	}
	end := s.bareEnd(item)
	text, rest := s.text[item:end], s.blanks(end)
	if word := strings.TrimRight(text, ".,:"); wordLike(word) && rest > end && nameByte(rune(s.at(rest))) {
		return 0, false // a sentence
	}
	return item, !strings.HasSuffix(text, ":") && !strings.Contains(text, "=") && text != "" && strings.IndexByte("{[<(#", text[0]) < 0
}

// depth returns the column of a name in YAML. Where something else stands before it on its line, as in a log, it is that of the line.
func (s *scanner) depth(word span) int {
	from := strings.LastIndexByte(s.text[max(0, word.from-reach):word.from], '\n') + 1 + max(0, word.from-reach)
	lead := s.text[from:word.from]
	s.meter.looked(len(lead))
	if strings.Trim(lead, " -\"'\\") == "" {
		return len(strings.TrimRight(lead, "\"'\\")) - 2*strings.Count(lead, "- ")
	}
	if strings.ContainsAny(lead, "\"'`") {
		return 0 // a text in quotes has its own columns
	}
	return len(lead) - len(strings.TrimLeft(lead, " "))
}

// valueBelow returns such a value, empty if there is none.
func (s *scanner) valueBelow(at int, word span) span {
	from, is := s.below(at, word)
	switch slashes := s.slashes(from); {
	case !is:
		return span{at, at}
	case quote(s.at(slashes)):
		return s.quoted(from, slashes)
	}
	return span{from, s.bareEnd(from)}
}

// longestLines is how far behind a line break the quote is looked for that closes a value.
const longestLines = 512

// goesOn reports whether a value in quotes goes on behind a line break: to a quote behind which something else begins.
func (s *scanner) goesOn(at int, mark byte) bool {
	rest := s.text[at:min(len(s.text), at+longestLines)]
	end := strings.IndexByte(rest, mark)
	s.meter.looked(len(rest))
	if end < 0 {
		return false
	}
	return end+1 == len(rest) || strings.IndexByte(" \t\r\n,;)]}:", rest[end+1]) >= 0
}

// braced returns a value in the braces of a connection string, password={p;V}, in which a brace is doubled (SQL Server, "Building the
// connection URL"). An object is none: its members speak for themselves.
func (s *scanner) braced(at int, word span) span {
	end := s.next("}", at)
	for s.at(end+1) == '}' && end-at <= longestName {
		end = s.next("}", end+2)
	}
	if end = min(end, s.next("\n", at)); end-at > longestName {
		return span{at, at}
	}
	inside := s.text[at+1 : end]
	if s.at(at+1) == '{' || s.at(word.from-1) != ';' && strings.ContainsAny(inside, "=: {\"'") {
		return span{at, at}
	}
	return span{at + 1, at + 1 + len(inside)}
}
