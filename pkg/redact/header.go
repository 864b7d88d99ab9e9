package redact

import (
	"strings"
)

// header finds the secret of a header of HTTP: behind the scheme in Authorization, all of Cookie.
func (s *scanner) header(word span, at int) {
	rest := s.headerValue(word, at)
	value := s.text[rest.from:rest.to]
	if strings.HasSuffix(s.lower[word.from:word.to], "cookie") {
		s.add(rest)
		return
	}
	scheme, _, more := strings.Cut(value, " ")
	if !more {
		s.add(rest)
		return
	}
	from := rest.from + len(scheme)
	for s.at(from) == ' ' {
		from++
	}
	end := min(s.bareEnd(from), rest.to)
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "negotiate", "ntlm", "apikey", "api-key", "key", "splunk", "jwt", "geniekey", "bot", "kerberos",
		"sharedkey":
		s.add(span{from, end})
	case "digest", "oauth", "hawk", "signature", "aws4-hmac-sha256", "aws", "sharedaccesssignature":
		s.add(span{from, rest.to})
	default: // an unknown scheme, or a sentence
		if strings.HasPrefix(value, Mark) || strings.ContainsAny(scheme, "0123456789=") {
			s.add(span{rest.from, min(s.bareEnd(rest.from), rest.to)})
		}
		if strings.ContainsAny(s.text[from:max(from, end)], "0123456789=") {
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

// next returns where a text stands at an offset or behind it; the end of all text where it does not. It remembers: a line of megabytes
// may be full of headers, each of which asks for the end of the line.
func (s *scanner) next(text string, at int) int {
	if known, ok := s.last[text]; ok && known.from <= at && at <= known.to {
		return known.to
	}
	found := span{at, len(s.text)}
	if i := strings.Index(s.text[at:], text); i >= 0 {
		found.to = at + i
	}
	s.meter.looked(found.to - at)
	if s.last == nil {
		s.last = map[string]span{}
	}
	s.last[text] = found
	return found.to
}
