// Package redact takes secrets out of text that a cluster, a file or a server supplied.
//
// It looks for two things: tokens that can be told by themselves (token.go, gitleaks.go), and values behind a name that
// says that they are secret (pairs.go). Each is found in the text as it is, not in what another find left of it, so that
// no find can swallow the name of the next.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

// shortest is the length of the shortest text that may hold a secret: "pwd=x".
const shortest = 5

// maxPasses bounds how often a text is looked at. A second look finds what the mark has set apart from its
// surroundings; a third finds something only in text that was made for it.
const maxPasses = 6

// Text returns a text without secrets. It returns the same for what it returned before, so that an archive, which is
// redacted again when it is read, replays the same text.
func Text(text string) string {
	clean, _ := cleaned(text, newMeter(text))
	return clean
}

// cleaned also returns where the first name begins whose value may stand behind the text; the length of the text if there is none.
func cleaned(text string, m *meter) (clean string, open int) {
	clean, open = pass(text, m)
	for last, n := text, 1; clean != last && n < maxPasses; n++ {
		last = clean
		clean = once(clean, m)
	}
	return clean, open
}

// span is a part of a text.
type span struct{ from, to int }

// The budget of the patterns of tokens: they read at most freeTokens bytes of any text, and tokensRatio for each of its bytes. The log of a
// driver needs less than two for each; a text that consists of the words of all patterns needs forty, and seconds for each megabyte.
const (
	freeTokens  = 4 << 20
	tokensRatio = 6
	shortBudget = freeTokens / 40
)

// meter counts the bytes that are looked at, so that a test can hold that their number grows with a text, not with its square.
type meter struct {
	bytes  int
	tokens int  // what the patterns of tokens may still look at
	spent  bool // something was taken out because they may look no further
}

// newMeter returns nil for a text over which all patterns may go.
func newMeter(text string) *meter {
	if len(text) < shortBudget {
		return nil
	}
	return &meter{tokens: freeTokens + tokensRatio*len(text)}
}

func (m *meter) looked(bytes int) {
	if m != nil {
		m.bytes += bytes
	}
}

func (m *meter) patternLooked(bytes int) {
	if m != nil {
		m.tokens -= bytes
	}
}

// patternsMayNot reports whether patterns may look no further, and notes that something is taken out for this.
func (m *meter) patternsMayNot() bool {
	if m == nil || m.tokens >= 0 {
		return false
	}
	m.spent = true
	return true
}

func once(text string, m *meter) string {
	clean, _ := pass(text, m)
	return clean
}

func pass(text string, m *meter) (clean string, open int) {
	if len(text) < shortest {
		return text, len(text)
	}
	if len(text) < shortestToken && !strings.ContainsAny(text, "=: \t,>@") && text[0] != '-' {
		return text, len(text)
	}
	lower := lowered(text)
	named, open := pairs(text, lower, m)
	decoded, other := encoded(text, m)
	open = min(open, other)
	found := slices.Concat(tokens(text, lower, m), named, decoded)
	if len(found) == 0 {
		return text, open
	}
	return replaced(text, found, m), open
}

// lowered returns a text in lower case, byte by byte, so that offsets hold.
func lowered(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
		return text
	}
	out := []byte(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// replaced puts the mark in the place of what was found. Marks that are there already are not cut.
func replaced(text string, found []span, m *meter) string {
	found = sorted(found)
	found = sorted(append(found, touched(text, found, m)...))
	var out strings.Builder
	end := 0 // of what is written or left out
	for i := 0; i < len(found); i++ {
		one := found[i]
		for i+1 < len(found) && found[i+1].from < one.to {
			i++
			one.to = max(one.to, found[i].to)
		}
		if one.to <= one.from {
			continue
		}
		out.WriteString(text[end:one.from])
		out.WriteString(Mark)
		end = one.to
	}
	out.WriteString(text[end:])
	return out.String()
}

func sorted(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return list
}

// touched returns the marks in a text that something found overlaps. Found is sorted, and each of its spans is looked at once: a line
// may be full of both.
func touched(text string, found []span, m *meter) []span {
	var out []span
	reach, i := 0, 0 // the furthest end of what begins before the mark
	for at := 0; ; {
		next := strings.Index(text[at:], Mark)
		if next < 0 {
			return out
		}
		mark := span{at + next, at + next + len(Mark)}
		for at = mark.to; i < len(found) && found[i].from < mark.to; i++ {
			m.looked(1)
			reach = max(reach, found[i].to)
		}
		if reach > mark.from {
			out = append(out, mark)
		}
	}
}
