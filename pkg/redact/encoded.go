package redact

import (
	"html"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// deepest is how often a text is decoded: a query in a URL in a query.
const deepest = 3

// view is a text with its escapes decoded. What is found in it is taken out of the text that it was decoded from: that stays as it is
// otherwise.
type view struct {
	text   string
	pieces []piece // by at
}

// piece is a part of a view that stands as it is in the text before: what is at an offset of the view was at from.
type piece struct{ at, from int }

// encoded finds secrets in what a text means once its escapes are decoded: %22password%22%3A%22V%22, password&#61;V, password\u003dV,
// 'PASSWORD='\"V'\", words in colour. It also returns where the first name begins whose value may stand behind the text.
func encoded(text string, m *meter) (found []span, open int) {
	open = len(text)
	var views []view
	for range deepest {
		next, changed := decoded(text)
		if !changed {
			break
		}
		views, text = append(views, next), next.text
		lower := lowered(text)
		named, last := pairs(text, lower, m)
		if last < len(text) {
			for _, v := range slices.Backward(views) {
				last = v.origin(last)
			}
			open = min(open, last)
		}
		for _, one := range append(tokens(text, lower, m), named...) {
			for _, v := range slices.Backward(views) {
				one = span{v.origin(one.from), v.origin(one.to)}
			}
			found = append(found, one)
		}
	}
	return found, open
}

// origin returns where an offset of a view is in the text before.
func (v view) origin(at int) int {
	i := sort.Search(len(v.pieces), func(i int) bool { return v.pieces[i].at > at }) - 1
	return v.pieces[i].from + at - v.pieces[i].at
}

// decoded returns a text without its escapes, and whether there were any.
func decoded(text string) (view, bool) {
	if !strings.ContainsAny(text, "%&\\\x1b?") {
		return view{}, false
	}
	var out strings.Builder
	v := view{pieces: []piece{{0, 0}}}
	kept, inURL := 0, false // in a query, and behind an escape of a URL, a plus is a blank
	for i := 0; i < len(text); {
		plain, size := escape(text[i:])
		switch {
		case size > 0:
			inURL = inURL || text[i] == '%'
		case text[i] == '+' && inURL:
			plain, size = " ", 1
		default:
			inURL = (inURL || text[i] == '?') && strings.IndexByte(" \t\r\n\"'", text[i]) < 0
			i++
			continue
		}
		out.WriteString(text[kept:i])
		v.pieces = append(v.pieces, piece{out.Len(), i})
		out.WriteString(plain)
		i += size
		kept = i
		v.pieces = append(v.pieces, piece{out.Len(), i})
	}
	out.WriteString(text[kept:])
	v.text = out.String()
	return v, kept > 0
}

// longestEntity is the length of the longest entity of HTML that is looked at: &#x0000003d;
const longestEntity = 12

// escape returns what an escape at the beginning of a text stands for, of ASCII only, and its length; 0 if there is none.
func escape(text string) (plain string, size int) {
	switch text[0] {
	case '%':
		return ascii(text, 1, 2)
	case '&':
		end := strings.IndexByte(text[:min(len(text), longestEntity)], ';')
		if end < 0 {
			return "", 0
		}
		if plain = html.UnescapeString(text[:end+1]); len(plain) == 1 {
			return plain, end + 1
		}
	case '\'': // the shell's way to write an apostrophe in apostrophes
		if strings.HasPrefix(text, `'\''`) {
			return "'", 4
		}
	case '\\':
		slashes := 1
		for slashes < len(text) && slashes < longestEntity && text[slashes] == '\\' {
			slashes++
		}
		rest := text[slashes:]
		switch {
		case strings.HasPrefix(rest, "u00"):
			return ascii(text, slashes+3, 2)
		case strings.HasPrefix(rest, "x"):
			return ascii(text, slashes+1, 2)
		case strings.HasPrefix(rest, "n"):
			return "\n", slashes + 1
		}
	case '\x1b': // a colour of a terminal
		if end := strings.TrimLeft(strings.TrimPrefix(text, "\x1b["), "0123456789;"); strings.HasPrefix(end, "m") {
			return "", len(text) - len(end) + 1
		}
	}
	return "", 0
}

// ascii reads digits of base 16 at an offset.
func ascii(text string, at, digits int) (plain string, size int) {
	if at+digits > len(text) {
		return "", 0
	}
	code, err := strconv.ParseUint(text[at:at+digits], 16, 8)
	if err != nil || code == 0 || code >= 0x80 {
		return "", 0
	}
	return string(rune(code)), at + digits
}
