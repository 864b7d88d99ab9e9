package catalog

import (
	"strings"
)

// Match is a signature that fits a message, and the groups of the message.
type Match struct {
	Signature Signature
	Groups    map[string]string // what Says and Next of the signature name, each on one line and not too long
}

const (
	maxClass   = 512
	maxMessage = 16 << 10 // an unresolved dependency names every repository that was tried
	maxGroup   = 240      // of a name that is put into a sentence
)

func (e *entry) match(text string) (Match, bool) {
	regex := e.message()
	at := regex.FindStringSubmatchIndex(text)
	if at == nil {
		return Match{}, false
	}
	groups := map[string]string{}
	for i, name := range regex.SubexpNames() {
		name = groupName(name)
		if name != "" && at[2*i] >= 0 && groups[name] == "" {
			groups[name] = short(text, at[2*i], at[2*i+1])
		}
	}
	return Match{Signature: e.Signature, Groups: groups}, true
}

// fits reports whether the signature fits a line as Examples have it, whatever else does.
func (e *entry) fits(text string) bool {
	if e.class == nil {
		return e.message().MatchString(text)
	}
	class, message, _ := strings.Cut(text, ": ")
	return e.class().MatchString(class) && e.message().MatchString(message)
}

// expand puts groups into a text. Brackets around groups fall away with what they hold if one of these took no part.
func expand(text string, groups map[string]string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "[")
		inside, after, closed := strings.Cut(rest, "]")
		if !found || !closed {
			filled, _ := fill(text, groups)
			out.WriteString(filled)
			return out.String()
		}
		filled, _ := fill(before, groups)
		out.WriteString(filled)
		switch optional, whole := fill(inside, groups); {
		case optional == inside:
			out.WriteString("[" + inside + "]")
		case whole:
			out.WriteString(optional)
		}
		text = after
	}
}

// Fill puts groups into a text, and reports whether all that it names took part.
func Fill(text string, groups map[string]string) (filled string, whole bool) {
	return fill(text, groups)
}

// fill puts groups into a text, and reports whether all that it names took part.
func fill(text string, groups map[string]string) (filled string, whole bool) {
	whole = true
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			out.WriteString(text)
			return out.String(), whole
		}
		out.WriteString(before + groups[name])
		whole = whole && groups[name] != ""
		text = after
	}
}

// fewestCut is from how many bytes on a group is prose that a bound of its expression may have cut; a shorter one is a name.
const fewestCut = 60

// short returns a group as it can stand in a sentence: one line, not too long, of whole words.
func short(text string, from, to int) string {
	value := text[from:to]
	midWord := to < len(text) && to > from && !isSpace(text[to]) && !isSpace(text[to-1])
	if space := strings.LastIndexByte(value, ' '); midWord && len(value) >= fewestCut && space > 0 {
		value = value[:space] + "…"
	}
	value, _, _ = strings.Cut(value, ". Received status: Status(") // the same again, as the client of Kubernetes prints it
	value = strings.TrimSpace(strings.Join(strings.Fields(value), " "))
	if len(value) > maxGroup {
		value = strings.ToValidUTF8(value[:maxGroup], "") + "…"
	}
	return value
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
