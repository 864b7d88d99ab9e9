package redact

import "strings"

// flag returns where the value of a flag begins, which follows as an argument of its own, or that of a setting in columns.
func (s *scanner) flag(word span, n name) (at int, sep separator) {
	at, quoted := s.unquoted(word.to)
	from := at
	for strings.IndexByte(" \t\r\n,", s.at(at)) >= 0 && at < len(s.text) {
		at++
	}
	at = s.space(at)
	if at == len(s.text) && n.last && s.at(word.from-1) == '-' {
		s.reached = true
	}
	if at == from || at == len(s.text) {
		return 0, none
	}
	text := s.text[word.from:word.to]
	if s.at(word.from-1) != '-' {
		if !isSetting(text) || quoted || !s.separatesColumns(s.text[from:at], at) {
			return 0, none
		}
		return at, blank
	}
	if !n.last {
		return 0, none
	}
	if s.at(at) == '-' {
		if s.at(at+1) != ' ' || !strings.Contains(s.text[from:at], "\n") {
			return 0, none // another flag
		}
		at = s.blanks(at + 1) // an item of YAML
	}
	if !quoted && prose(s.lower[at:min(len(s.lower), at+longestProse)]) {
		return 0, none
	}
	return at, blank
}

// separatesColumns reports whether a gap in front of an offset is one between columns. A single blank is, before one word that is none of a
// sentence.
func (s *scanner) separatesColumns(gap string, at int) bool {
	switch {
	case gap == "\t":
		return true
	case strings.Trim(gap, " \t") != "":
		return false
	case len(gap) > 1:
		return true
	default:
		return s.restIsWord(at) && !wordLike(s.text[at:s.bareEnd(at)])
	}
}
