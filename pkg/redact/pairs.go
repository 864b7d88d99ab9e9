package redact

import (
	"strings"
)

// scanner goes over the words of a text and finds the values behind those that say that they are secret.
type scanner struct {
	text, lower string
	meter       *meter
	found       []span
	last        []lookedUp // of the few things that are looked for: see next
	bare        span       // the last value without quotes: see bareEnd
	bareSame    int        // a value that begins in it before here ends where it does
	body        span       // the rest of the last line that was asked for: see bodyEnd
	bodyTo      int
	member      span   // from where the end of a member was looked for last, and where it is: see memberEnd
	lines       []line // without the blank ones: see block
	reached     bool   // what was looked for may stand behind the text
}

// pairs finds values behind names, in all forms in which people and programs write them: KEY=V, KEY: V, "KEY": "V",
// --key V, ["--key", "V"], {"name": "KEY", "value": "V"}, {Name:KEY Value:V}, <key>V</key>, (key,V), KEY -> V.
// It also returns where the first name begins whose value may stand behind the text; the length of the text if there is none.
func pairs(text, lower string, m *meter) (found []span, open int) {
	s := &scanner{text: text, lower: lower, meter: m}
	open = len(text)
	if !hinted(lower) && !strings.Contains(lower, "value") { // its name may stand on the next line
		return nil, open
	}
	for at := 0; at < len(text); {
		s.reached = false
		word, next := s.word(at)
		at = next
		if word.to == word.from {
			continue
		}
		switch l := lower[word.from:word.to]; {
		case l == "name" || l == "key":
			s.named(word)
		case l == "value":
			s.valued(word)
		case hinted(l):
			switch n := read(text[word.from:word.to]); n.kind {
			case plain:
			case elsewhere:
				if sep, from, _ := s.separated(word); sep == equals {
					at = max(at, s.bareEnd(from))
				}
			default:
				s.behind(word, n)
			}
		}
		if s.reached {
			open = min(open, word.from)
		}
	}
	return s.found, open
}

// hinted reports whether a text in lower case has a part that is in every name of a secret.
func hinted(lower string) bool {
	for _, part := range [...]string{"pass", "secret", "token", "cred", "auth", "key", "pwd", "sig", "sas", "cookie", "jwt"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// word returns the next word, empty if there is none, without dashes and dots around it, and where to go on.
func (s *scanner) word(at int) (word span, next int) {
	for at < len(s.text) && !nameByte(rune(s.text[at])) {
		at++
	}
	from := at
	defer func() { s.meter.looked(next - from) }()
	for at < len(s.text) && nameByte(rune(s.text[at])) {
		at++
	}
	word = span{from, at}
	for word.from < word.to && strings.IndexByte("-.$", s.text[word.from]) >= 0 {
		word.from++
	}
	if s.at(word.from) == 'D' && s.at(word.from-1) == '-' && s.at(word.from-2) != '-' && word.to > word.from+1 {
		word.from++ // of a property of Java: -Dapi.key=V
	}
	for word.to > word.from && strings.IndexByte("-.$", s.text[word.to-1]) >= 0 {
		word.to--
	}
	return word, at
}

// at returns the byte at an offset, 0 outside of the text.
func (s *scanner) at(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// blanks returns the offset behind blanks.
func (s *scanner) blanks(i int) int {
	for s.at(i) == ' ' || s.at(i) == '\t' {
		i++
	}
	return i
}

// unquoted returns the offset behind a closing quote, which may be escaped, and whether there is one.
func (s *scanner) unquoted(i int) (int, bool) {
	j := i
	for s.at(j) == '\\' {
		j++
	}
	switch {
	case quote(s.at(j)) && j == i && s.at(j+1) == s.at(j): // doubled: in a string of YAML or a field of CSV
		return j + 2, true
	case quote(s.at(j)):
		return j + 1, true
	}
	return i, false
}

func quote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// separator is what stands between a name and a value.
type separator int

const (
	none separator = iota
	equals
	colon
	arrow // ->
	comma // of a pair, or of the arguments of a call
	tag   // of XML
	blank // behind a flag, or in columns
)

// separated returns the separator behind a word, where the value begins, and whether the word is in quotes.
func (s *scanner) separated(word span) (sep separator, at int, quoted bool) {
	at, quoted = s.unquoted(word.to)
	if s.at(at) == '>' && s.at(word.from-1) == '<' {
		return tag, at + 1, false
	}
	if s.subscript(word, quoted, at) {
		if at = s.blanks(at + 1); s.at(at) == '=' && s.at(at+1) != '=' {
			return equals, at + 1, false
		}
		return none, at, quoted
	}
	switch at = s.blanks(at); {
	case s.at(at) == '=':
		for s.at(at) == '=' || s.at(at) == '>' {
			at++
		}
		sep = equals
	case s.at(at) == ':':
		if at++; s.at(at) == '=' {
			at++
		}
		sep = colon
	case s.at(at) == '-' && s.at(at+1) == '>':
		sep, at = arrow, at+2
	case s.at(at) == ',' && s.paired(word, quoted, at):
		if sep, at = comma, at+1; quoted && !s.opensQuote(s.space(at)) {
			s.reached = s.reached || s.space(at) == len(s.text)
			return none, at, quoted // a variable, or a type
		}
	default:
		return none, at, quoted
	}
	return sep, at, quoted
}

// behind finds the value behind a name that says that it is secret.
func (s *scanner) behind(word span, n name) {
	sep, at, quoted := s.separated(word)
	switch {
	case sep == none:
		if from, is := s.statement(word, n); is {
			at, sep = from, blank
		} else if at, sep = s.flag(word, n); sep == none {
			return
		}
	case n.kind == header:
		s.header(word, s.blanks(at))
		return
	case sep == colon && !quoted && !s.tells(word, n, at):
		return
	case sep == colon && quoted && !s.isMember(at):
		return
	case n.bare && n.word == "auth" && !s.isQuotedMember(sep, quoted, at) && s.at(word.from) != '_':
		return // auth=simple
	}
	v := s.value(at, sep, quoted, word)
	if !harmless(n, s.text[v.from:v.to]) && !s.absent(v) && !s.partition(word, sep, v) {
		s.found = append(s.found, v)
	}
}

// isQuotedMember reports whether a name and its value are both in quotes, with a colon between them.
func (s *scanner) isQuotedMember(sep separator, quoted bool, at int) bool {
	return sep == colon && quoted && s.opensQuote(at)
}

func (s *scanner) opensQuote(at int) bool {
	at = s.blanks(at)
	for s.at(at) == '\\' {
		at++
	}
	return quote(s.at(at))
}

// isMember reports whether what begins at an offset is the value of a member of JSON or YAML, not a message behind a word in
// quotes: volume "creds" : references …
func (s *scanner) isMember(at int) bool {
	if c := s.at(s.blanks(at)); c == '[' || c == '\n' || c == '|' || c == '>' || s.opensQuote(at) {
		return true
	}
	end := s.bareEnd(s.blanks(at))
	return end == len(s.text) || s.at(end) != ' ' && s.at(end) != '\t'
}

// tells reports whether a name with a colon behind it, without quotes, is one of a value. It may be the name of a class
// or of an error, behind which a message follows, a host or an image, behind which a port or a tag does, or prose.
func (s *scanner) tells(word span, n name, at int) bool {
	text := s.text[word.from:word.to]
	before := s.at(word.from - 1)
	words := wordsOf(text)
	for _, w := range faults() {
		if words[0] == w || strings.HasPrefix(words[max(0, len(words)-2)], w) {
			return false
		}
	}
	dot := strings.LastIndexAny(text, ".$")
	if isFile(text) {
		return false // db-secret.yaml: document 1
	}
	if dot > 0 && dot+1 < len(text) && upper(text[dot+1]) && !upper(text[0]) && strings.ToUpper(text[dot+1:]) != text[dot+1:] {
		return false // org.apache.hadoop.security.token.Token: …
	}
	spaced := s.at(at) == ' ' || s.at(at) == '\t'
	if n.bare {
		switch n.word {
		case "pass", "sig", "signature", "auth":
			return false
		case "secret", "credential", "credentials":
			if spaced {
				return s.restIsWord(s.blanks(at))
			}
		case "token":
			if spaced && !upper(s.at(s.blanks(at))) && s.sentence(s.blanks(at)) {
				return false // failed to fetch oauth token: unexpected status
			}
		}
	}
	if n.word == "auth" && !isSetting(text) && strings.ToUpper(text) != text {
		return false // plugin/pkg/client/auth: …
	}
	if !n.bare && strings.HasPrefix(n.word, "credential") && s.logger(word) && s.sentence(s.blanks(at)) {
		return false // WARN DefaultCredentials: Found no identity
	}
	if c := s.at(at); !spaced && c != '\n' && c != 0 {
		return n.last && strings.IndexByte(":/@.", before) < 0
	}
	dotted := dot > 0 && !upper(text[0])
	named := n.last || dotted || strings.ToUpper(text) == text
	return named && !validation(s.text[s.blanks(at):])
}
