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
	kept := 0
	for at, lines := 0, 1; at < len(text); {
		end := endOfLines(text, at, lines)
		part := text[at:end]
		clean, open := cleaned(part, m)
		if open < len(part) && lines < mostLines && end < len(text) {
			before := strings.LastIndexByte(part[:open], '\n') + 1
			if before == 0 {
				lines *= 4
				continue
			}
			part, end = part[:before-1], at+before-1
			clean, _ = cleaned(part, m)
		}
		if clean != part {
			out.WriteString(text[kept:at])
			out.WriteString(clean)
			out.WriteString(strings.Repeat("\n", strings.Count(part, "\n")-strings.Count(clean, "\n")))
			kept = end
		}
		at, lines = end+1, 1
	}
	if kept == 0 {
		return text
	}
	out.WriteString(text[min(kept, len(text)):])
	return out.String()
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
