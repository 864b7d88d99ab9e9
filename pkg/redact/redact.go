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
	for range maxPasses {
		next := once(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// span is a part of a text.
type span struct{ from, to int }

func once(text string) string {
	if len(text) < shortest || len(text) < shortestToken && !strings.ContainsAny(text, "=: \t,>@") {
		return text
	}
	lower := lowered(text)
	found := append(tokens(text, lower), pairs(text, lower)...)
	if len(found) == 0 {
		return text
	}
	return replaced(text, found)
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
func replaced(text string, found []span) string {
	for at := 0; ; {
		i := strings.Index(text[at:], Mark)
		if i < 0 {
			break
		}
		mark := span{at + i, at + i + len(Mark)}
		at = mark.to
		for j, f := range found {
			if f.from < mark.to && f.to > mark.from {
				found[j] = span{min(f.from, mark.from), max(f.to, mark.to)}
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
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
