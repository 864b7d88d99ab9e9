package terminal

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Wrap breaks text into lines of at most width columns: at blanks, and within a word only where no line has room for it.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		room := width - twwidth.Width(line)
		if line != "" {
			room--
		}
		parts := []string{word}
		if wide := twwidth.Width(word); wide > width && breaks(word, width) {
			parts = pieces(word, room, width)
		} else if wide > room {
			parts = []string{"", word}
		}
		for i, part := range parts {
			switch {
			case i > 0 && line != "":
				lines, line = append(lines, line), part
			case line != "" && part != "":
				line += " " + part
			default:
				line += part
			}
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// leastWidth is the narrowest line in which words are broken: in a narrower one nothing can be read.
const leastWidth = 20

// breaks reports whether a word that is wider than a line may be broken. A link that a terminal opens stays whole.
func breaks(word string, width int) bool {
	return width >= leastWidth && !strings.Contains(word, "\x1b]")
}

// pieces are those of a word: the first has room behind what stands in a line already, or is empty; each other begins a line.
func pieces(word string, room, width int) []string {
	at := divided(word, room, shortestPiece, paths, parts)
	out := []string{word[:at]}
	for word = word[at:]; twwidth.Width(word) > width; word = word[at:] {
		if at = divided(word, width, width/3, paths, parts, names); at == 0 {
			at = fitting(word, width)
		}
		out = append(out, word[:at])
	}
	return append(out, word)
}

// shortestPiece is the fewest columns of a word that stand in a line of other words.
const shortestPiece = 8

// The characters behind which readers expect a break: those that divide paths and lists, parts of a field or a class, and words of a name.
const paths, parts, names = "/,;&?|", ".:=", "@-_"

// divided is where the longest beginning of a word that has room, and is not shorter than a number of columns, ends behind one of some
// dividers, of which the first are tried first. Zero: nowhere.
func divided(word string, room, least int, by ...string) int {
	const leastLeft = 4 // columns: "py" does not stand in a line of its own
	head, skips := word[:fitting(word, room)], colors(word)
	for _, dividers := range by {
		for at := min(len(head), len(word)-1); at > 0; at-- {
			last, next := word[at-1], word[at]
			together := last == next || last == ':' && next == '/' // as in "://" and "--"
			if strings.IndexByte(dividers, last) >= 0 && !together && !skips[at-1] && twwidth.Width(word[at:]) >= leastLeft {
				if twwidth.Width(word[:at]) >= least {
					return at
				}
				break
			}
		}
	}
	return 0
}

// fitting is how many bytes of a word have room, whole characters only.
func fitting(word string, room int) int {
	end, skips := 0, colors(word)
	for at, r := range word {
		if !skips[at] {
			room -= twwidth.Width(string(r))
		}
		if room < 0 {
			return end
		}
		end = at + len(string(r))
	}
	return len(word)
}

// colors are the bytes of a word that only paint it.
func colors(word string) map[int]bool {
	out := map[int]bool{}
	for at := 0; at < len(word); at++ {
		if !strings.HasPrefix(word[at:], "\x1b[") {
			continue
		}
		for ; at < len(word); at++ {
			if out[at] = true; word[at] == 'm' {
				break
			}
		}
	}
	return out
}
