package redact

import (
	"strings"
)

// signs are what tells a token from the words of a sentence.
const signs = "0123456789="

// header finds the secret of a header of HTTP: behind the scheme in Authorization, all of Cookie.
func (s *scanner) header(word span, at int) {
	rest := s.headerValue(word, at)
	from := s.next(" ", rest.from)
	if from >= rest.to || strings.HasSuffix(s.lower[word.from:word.to], "cookie") {
		s.add(rest)
		return
	}
	scheme := span{rest.from, from}
	for s.at(from) == ' ' {
		from++
	}
	end := min(s.bareEnd(from), rest.to)
	switch s.lower[scheme.from:scheme.to] {
	case "bearer", "basic", "token", "negotiate", "ntlm", "apikey", "api-key", "key", "splunk", "jwt", "geniekey", "bot", "kerberos",
		"sharedkey":
		s.add(span{from, end})
	case "digest", "oauth", "hawk", "signature", "aws4-hmac-sha256", "aws", "sharedaccesssignature":
		s.add(span{from, rest.to})
	default: // an unknown scheme, or a sentence
		if strings.HasPrefix(s.text[rest.from:rest.to], Mark) || s.nextAny(signs, scheme.from) < scheme.to {
			s.add(span{rest.from, min(s.bareEnd(rest.from), rest.to)})
		}
		if s.nextAny(signs, from) < end {
			s.add(span{from, end})
		}
	}
}

// headerValue returns the value of a header: in quotes, in the brackets of a list, to the quote that closes the one
// before its name, or to the end of the line.
func (s *scanner) headerValue(word span, at int) span {
	slashes := at
	for s.at(slashes) == '\\' {
		slashes++
	}
	out := span{at, s.next("\n", at)}
	switch {
	case strings.HasPrefix(s.text[at:], Mark):
	case quote(s.at(slashes)):
		return s.quoted(at, slashes)
	case s.at(at) == '[':
		out = s.list(at)
		if slashes = out.from; quote(s.at(slashes)) {
			return s.quoted(slashes, slashes)
		}
		return out
	}
	if before := s.at(word.from - 1); quote(before) {
		out.to = min(out.to, s.next(string(before), at))
	}
	for _, end := range []string{`\n`, `\r`} {
		out.to = min(out.to, s.next(end, at))
	}
	return out
}
