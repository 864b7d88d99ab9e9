package terminal

import (
	"regexp"
	"strings"
)

// link makes a text lead to an address (OSC 8). Both must be ours: neither is escaped.
func link(address, text string) string {
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// checks makes the ids of checks in a list lead to their pages. A report may come from a file: what is no id becomes no part of an address.
func (s Style) checks(list string) string {
	if s.PageOf == nil {
		return list
	}
	id := regexp.MustCompile(`^SD[0-9]{4}$`)
	words := strings.Split(list, " ")
	for i, word := range words {
		if id.MatchString(word) {
			words[i] = link(s.PageOf(word), word)
		}
	}
	return strings.Join(words, " ")
}
