package redact

import "strings"

// Log takes secrets out of a log, line by line: what is a secret in a log stands on one line, but for private keys. Text would take
// quadratic time for megabytes with a secret on each line.
func Log(text string) string {
	var out strings.Builder
	inKey, changed, kept := false, false, 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		line := text[at:end]
		var clean string
		switch {
		case inKey:
			inKey = !strings.Contains(line, "-----END ")
		case opensKey(line):
			clean, inKey = Mark, true
			if i := strings.Index(line, "-----BEGIN "); i > 0 {
				clean = Text(line[:i]) + Mark
			}
		default:
			clean = Text(line)
		}
		if clean != line {
			changed = true
			out.WriteString(text[kept:at])
			out.WriteString(clean)
			kept = end
		}
		at = end + 1
	}
	if !changed {
		return text
	}
	out.WriteString(text[min(kept, len(text)):])
	return out.String()
}

// opensKey reports whether a private key begins on a line and goes on behind it.
func opensKey(line string) bool {
	i := strings.Index(line, "-----BEGIN ")
	return i >= 0 && strings.Contains(line[i:], "PRIVATE KEY") && !strings.Contains(line[i:], "-----END ")
}

// Secret reports whether the name of a member or a setting says that its value is a secret, and the value is one.
func Secret(name, value string) bool {
	n := read(name)
	return n.secret() && !harmless(n, value)
}
