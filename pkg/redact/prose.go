package redact

import (
	"strings"
	"unicode"
)

// sentence reports whether the rest of a line is prose: a word of lower-case letters, which may begin with a capital, and at least two
// more. Tokens have digits, or capitals within.
func (s *scanner) sentence(at int) bool {
	end := at
	if upper(s.at(end)) {
		end++
	}
	for c := s.at(end); small(c); c = s.at(end) {
		end++
	}
	s.meter.looked(end - at)
	return end > at && end-at <= longestProse && s.at(end) == ' ' && !s.restIsWord(end)
}

// logger reports whether a word is the name of a logger: a level stands before it.
func (s *scanner) logger(word span) bool {
	level := s.text[max(0, word.from-longestProse):word.from]
	if !strings.HasSuffix(level, " ") || !upper(s.at(word.from)) {
		return false
	}
	level = strings.TrimRight(level, " ")
	switch level[strings.LastIndexAny(level, " \t\n]")+1:] {
	case "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL":
		return true
	}
	return false
}

// restIsWord reports whether what is left of a line is a single word, as in YAML.
func (s *scanner) restIsWord(at int) bool {
	end := s.bodyEnd(at)
	if end <= at {
		return false
	}
	from := end - len(strings.TrimLeftFunc(s.text[at:end], unicode.IsSpace))
	return s.nextAny(" \t", from) >= end || quote(s.at(from))
}

// bodyEnd returns the end of the line at an offset, without the blanks at its end; at most the offset if nothing else is left of it.
func (s *scanner) bodyEnd(at int) int {
	line := s.nextAny("\r\n", at)
	if s.body.to != line || at < s.body.from {
		body := strings.TrimRightFunc(s.text[at:line], unicode.IsSpace)
		s.meter.looked(line - at - len(body))
		s.body, s.bodyTo = span{at, line}, at+len(body)
	}
	return s.bodyTo
}

// validation reports whether a text is what the API server says about a field (apimachinery/pkg/util/validation/field/
// errors.go@v0.37.2).
func validation(text string) bool {
	for _, start := range [...]string{
		"Invalid value", "Required value", "Not found", "Forbidden", "Unsupported value", "Duplicate value", "Too long", "Too many", "Too few",
		"Internal error",
	} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// longestProse is longer than what prose looks for.
const longestProse = 16

// prose reports whether a text continues like a sentence about a flag.
func prose(lower string) bool {
	word, _, _ := strings.Cut(lower, " ")
	switch strings.TrimRight(word, ".,;:\n") {
	case "is", "are", "was", "or", "and", "to", "for", "in", "must", "flag", "option", "not", "cannot", "can", "requires", "required", "has",
		"have", "if", "from", "with", "instead":
		return true
	}
	return false
}
