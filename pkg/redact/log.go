package redact

import "strings"

// mostLines is how many lines are looked at together.
const mostLines = 64

// Log takes secrets out of a log as Text does, and keeps the number of its lines. It looks at a line by itself, and at more of them where
// what a name announces is not on its line.
func Log(text string) string {
	text = withoutKeys(text)
	m := newMeter(text)
	clean := lineByLine(text, m)
	if m != nil && m.spent {
		return lineByLine(text, m) // all lines alike, so that what was taken out of a log stays as it is
	}
	return clean
}

func lineByLine(text string, m *meter) string {
	var out strings.Builder
	kept, held := 0, "" // held are lines that were cleaned, and are looked at again with those behind them
	for at, lines := 0, 1; at < len(text); {
		end := endOfLines(text, at, lines)
		part, carries := held+text[at:end], false
		clean, open := cleaned(part, m)
		if open < len(part) && end < len(text) {
			if to := settled(part, open, m); to > len(held) {
				part, end = part[:to], at+to-len(held)
				clean, _ = cleaned(part, m)
			} else if lines < mostLines {
				lines *= 4
				continue
			} else {
				carries = true
			}
		}
		if clean != part || held != "" || carries {
			out.WriteString(text[kept:at])
			kept = end
			clean += strings.Repeat("\n", strings.Count(part, "\n")-strings.Count(clean, "\n"))
			if held = ""; carries {
				clean, held = halves(clean)
				kept++ // the line break is in held
			}
			out.WriteString(clean)
		}
		at, lines = end+1, 1
	}
	if kept == 0 {
		return text
	}
	out.WriteString(held)
	out.WriteString(text[min(kept, len(text)):])
	return out.String()
}

// mostCuts is how often lines are cut before what is open.
const mostCuts = 4

// settled returns where the last line ends behind which no line is that the lines before it need: what is open begins behind it. 0: there
// is no such line, or none was found soon.
func settled(part string, open int, m *meter) int {
	for range mostCuts {
		part = part[:max(0, strings.LastIndexByte(part[:open], '\n'))]
		if part == "" {
			break
		}
		if _, open = cleaned(part, m); open == len(part) {
			return len(part)
		}
	}
	return 0
}

// halves divides lines in the middle. Both end with a line break.
func halves(lines string) (first, second string) {
	at := endOfLines(lines, 0, (strings.Count(lines, "\n")+1)/2) + 1
	return lines[:at], lines[at:] + "\n"
}

// Lines counts the lines of a log that Log left blank, since a secret of several lines stood there.
func Lines(text string) int {
	lines := 0
	for {
		_, behind, is := strings.Cut(text, Mark+"\n\n")
		if !is {
			return lines
		}
		text = strings.TrimLeft(behind, "\n")
		lines += 2 + len(behind) - len(text)
	}
}

// endOfLines returns where so many lines end.
func endOfLines(text string, at, lines int) int {
	for ; lines > 0 && at <= len(text); lines-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at - 1
}

// withoutKeys takes private keys out of a log, whose lines stay.
func withoutKeys(text string) string {
	found := privateKeys(text)
	if len(found) == 0 {
		return text
	}
	var out strings.Builder
	kept := 0
	for _, key := range found {
		if key.from < kept {
			continue
		}
		out.WriteString(text[kept:key.from])
		out.WriteString(Mark)
		out.WriteString(strings.Repeat("\n", strings.Count(text[key.from:key.to], "\n")))
		kept = key.to
	}
	return out.String() + text[kept:]
}

// Secret reports whether the name of a member or a setting says that its value is a secret, and the value is one.
func Secret(name, value string) bool {
	n := read(name)
	return n.secret() && !harmless(n, value)
}
