package redact

import (
	"strings"
)

// value returns the value that begins at an offset or behind blanks there, without its quotes; empty if there is none, or
// if it is an object, whose members speak for themselves.
func (s *scanner) value(at int, sep separator, quotedName bool, word span) span {
	if sep == tag {
		return span{at, s.next("<", at)}
	}
	tight := at
	if at = s.blanks(at); quotedName || sep == comma {
		at = s.space(at)
	}
	s.reached = s.reached || at == len(s.text)
	if strings.HasPrefix(s.text[at:], Mark) {
		return span{at, s.bareEnd(at)}
	}
	if c := s.at(at); c == 'b' || c == 'u' || c == 'r' { // of a string of Python: b'V'
		if quote(s.at(s.slashes(at + 1))) {
			at++
		}
	}
	if slashes := s.slashes(at); quote(s.at(slashes)) {
		return s.quoted(at, slashes)
	}
	switch c := s.at(at); {
	case strings.HasPrefix(s.text[at:], "ValueFrom:"): // of an EnvVar without a value, as Go prints it
		return span{at, at}
	case c == '\n', c == '\r', c == '\\' && s.space(at) > at:
		return s.valueBelow(at, word)
	case c == '{' && sep == equals && at == tight:
		return s.braced(at, word)
	case c == 0, c == '{', c == '(' && s.at(at+1) == '*':
		return span{at, at}
	case c == '[':
		return s.list(at)
	case (c == '|' || c == '>') && s.blockHeader(at):
		return s.block(at, word)
	}
	end := s.bareEnd(at)
	if sep == colon && at == tight && !quotedName {
		end = max(end, s.memberEnd(at, word))
	}
	if strings.HasSuffix(strings.TrimLeft(s.text[at:end], "&*"), "{") || s.at(end) == '{' {
		return span{at, at} // a struct of Go: &SecretVolumeSource{
	}
	if s.at(at) == '&' && s.next("{", at) < end {
		return span{at, at}
	}
	return span{at, end}
}

// slashes returns the offset behind backslashes.
func (s *scanner) slashes(at int) int {
	for s.at(at) == '\\' {
		at++
	}
	return at
}

// quoted returns what is in quotes, which are escaped where the text is itself in a string of JSON.
func (s *scanner) quoted(at, slashes int) span {
	depth, mark := slashes-at, s.at(slashes)
	from := slashes + 1
	if depth == 0 && s.at(from) == mark && s.at(from+1) != mark && nameByte(rune(s.at(from+1))) { // doubled: in a string of YAML
		end := s.next(string([]byte{mark, mark}), from+1)
		return span{from + 1, min(end, s.next("\n", from+1))}
	}
	count := 0 // of backslashes in front of the byte
	for i := from; i < len(s.text); i++ {
		s.meter.looked(1)
		switch c := s.text[i]; {
		case c == '\\':
			count++
			continue
		case c == '\n' && (mark != '"' || !s.goesOn(i, mark)):
			s.reached = s.reached || mark == '"' && len(s.text)-i < longestLines
			return span{from, i} // an apostrophe, or what closes it was cut off
		case c == mark && closes(mark, depth, count):
			return span{from, max(from, i-min(count, depth))}
		}
		count = 0
	}
	s.reached = s.reached || mark == '"'
	end := len(s.text) // what closes it was cut off
	if i := strings.IndexByte(s.text[from:], '\n'); i >= 0 {
		end = from + i
	}
	return span{from, end}
}

// closes reports whether a mark with so many backslashes in front of it ends what is in quotes of a depth: in single quotes of the text
// itself a backslash escapes nothing.
func closes(mark byte, depth, backslashes int) bool {
	if mark == '\'' && depth == 0 {
		return true
	}
	return backslashes%(2*depth+2) != 2*depth+1
}

// list returns the items of a list: the bytes of a value as Go prints them, or the values of a header.
func (s *scanner) list(at int) span {
	if to := min(s.next("]", at+1), s.next("{", at+1), s.next("\n", at+1)); s.at(to) != '{' {
		return span{at + 1, to}
	}
	return span{at, at}
}

// nested is how far the end of a value is looked for that begins behind a bracket of another one.
const nested = 512

// bareEnd returns the end of a value without quotes. Commas and brackets belong to it unless something else follows. A value that begins
// in the last one, before any bracket, ends with it, and at the latest there behind a bracket: a line of megabytes may be a=a=a=… or
// a=(a=(a=(….
func (s *scanner) bareEnd(at int) int {
	switch {
	case at >= s.bare.from && at < s.bareSame:
		return s.bare.to
	case at >= s.bare.from && at < s.bare.to:
		if end := s.endOfBare(at, min(at+nested, s.bare.to)); end < at+nested {
			return end
		}
		return s.bare.to
	}
	s.bare = span{at, s.endOfBare(at, len(s.text))}
	s.bareSame = s.bare.to
	if i := strings.IndexAny(s.text[at:s.bare.to], "({"); i >= 0 {
		s.bareSame = at + i
	}
	return s.bare.to
}

// endOfBare looks for the end of a value, at most up to an offset.
func (s *scanner) endOfBare(at, most int) (end int) {
	defer func() { s.meter.looked(end - at) }()
	open := 0
	for i := at; i < most; i++ {
		switch c := s.text[i]; c {
		case '(', '{':
			open++
		case ' ', '\t', '\n', '\r', '"', '\'', '`':
			return i
		case '\\':
			j := i
			for s.at(j) == '\\' {
				j++
			}
			if strings.IndexByte("nrtu\"'`", s.at(j)) >= 0 {
				return i
			}
			i = j - 1
		case ',', ';', '&':
			if s.ends(i + 1) {
				return i
			}
		case ')', ']', '}', '>':
			if open > 0 {
				open--
				continue
			}
			if next := s.at(i + 1); i+1 == len(s.text) || strings.IndexByte(" \t\r\n\"'`),;]}>.:\\", next) >= 0 {
				return i
			}
		case '<':
			if s.at(i+1) == '/' {
				return i
			}
		case '[':
			if strings.HasPrefix(s.text[i:], Mark) {
				i += len(Mark) - 1
			}
		}
	}
	return most
}

// ends reports whether the text behind a comma is no part of the value: its end, blanks, a quote, or another name with
// its separator.
func (s *scanner) ends(at int) bool {
	c := s.at(at)
	if at >= len(s.text) || strings.IndexByte(" \t\r\n\"'`\\{[<(", c) >= 0 {
		return true
	}
	end, ok := s.wordAt(at)
	return ok && (s.at(end) == '=' || s.at(end) == ':')
}

// wordAt returns the end of the word that begins at an offset, and whether one does.
func (s *scanner) wordAt(at int) (end int, ok bool) {
	if !nameByte(rune(s.at(at))) {
		return at, false
	}
	word, end := s.word(at)
	return end, word.from == at
}

// memberEnd returns the end of the value of a member of a struct or a map as Go prints them, which may hold blanks: it
// ends where the next member begins, or at the bracket. It returns at where the text is no struct.
func (s *scanner) memberEnd(at int, word span) int {
	before := s.at(word.from - 1)
	first := before == '{' || before == '['
	next := (before == ' ' || before == ',') && upper(s.at(word.from))
	if !first && !next {
		return at
	}
	if at < s.member.from || at > s.member.to || s.member.to == 0 {
		s.member = span{at, s.endOfMember(at)}
	}
	if c := s.at(s.member.to); c == 0 || strings.IndexByte("\n\"{", c) >= 0 {
		return at
	}
	return s.member.to
}

// endOfMember returns where the value of a member ends at the latest, whichever it is: the end of the text if nothing ends it.
func (s *scanner) endOfMember(at int) int {
	for i := at; i < len(s.text); i++ {
		s.meter.looked(1)
		switch s.text[i] {
		case '\n', '"', '{':
			return i
		case '}', ']':
			if !strings.HasSuffix(s.text[:i+1], Mark) {
				return i
			}
		case ' ', ',':
			if end, ok := s.wordAt(i + 1); ok && s.at(end) == ':' && s.at(end+1) != ' ' {
				return i
			}
		}
	}
	return len(s.text)
}

// harmless reports whether a value is no secret although its name says so.
func harmless(n name, value string) bool {
	v := strings.TrimSpace(value)
	switch strings.ToLower(v[:min(len(v), 32)]) { // no word below is longer
	case "", "true", "false", "null", "nil", "none", "<nil>", "<none>", "<unset>", "<set>", "~", "yes", "no", "*********(redacted)",
		"<redacted>", Mark:
		return true
	}
	if strings.Trim(v, "*") == "" {
		return true
	}
	opens := strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "${")
	if opens && len(v) <= longestName && strings.IndexAny(v, ")}") == len(v)-1 {
		return true // $(DB_PASSWORD): a reference
	}
	switch {
	case n.word == "pwd", strings.HasPrefix(n.word, "credential"):
		return strings.HasPrefix(v, "/")
	case n.bare && n.word == "secret":
		return objectName(v)
	case n.bare && n.word == "sig":
		return strings.HasPrefix(v, "SIG") || len(v) < 3
	case n.word == "auth" && !n.bare:
		return !n.store && len(v) < 20 && strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz_") == "" // simple
	case n.word == "tokens", n.bare && n.word == "pass", n.bare && n.word == "token" && len(v) <= 3: // https://registry/token: 401
		return strings.Trim(v, "0123456789") == ""
	}
	return false
}

// longestName is longer than a reference to a variable, and than a namespace with a name, which the API server takes up to 63 and 253
// bytes of. What is longer is no name, and a line of megabytes may be full of values that begin behind each other and end where it does.
const longestName = 512

// objectName reports whether a value is "namespace/name", as operators log a Secret.
func objectName(v string) bool {
	namespace, name, _ := strings.Cut(v, "/")
	both := namespace != "" && name != "" && !strings.Contains(name, "/")
	return len(v) <= longestName && both && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-./") == ""
}
