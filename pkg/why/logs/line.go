package logs

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// maxLine is where a line is cut, in bytes: messages with a whole query plan or a JSON document need no more to be known.
const maxLine = 8 << 10

// escapes are the sequences of a terminal: CSI, OSC, and those of two characters (ECMA-48).
var escapes = lazyregexp.New(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -~]?`)

// lines yields the lines of a text without control characters, each cut to maxLine. A carriage return ends a line too: the progress bar
// of spark-submit returns to the beginning of its line (core/src/main/scala/org/apache/spark/ui/ConsoleProgressBar.scala@v3.5.5).
func lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			line, rest, _ := strings.Cut(text, "\n")
			text = rest
			line = strings.TrimSuffix(line, "\r")
			for part := range strings.SplitSeq(line, "\r") {
				if !yield(cleaned(Cut(part, maxLine))) {
					return
				}
			}
		}
	}
}

// Cut returns at most n bytes of s, whole characters only.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Shortened returns s in at most n bytes, with a mark where something was cut off.
func Shortened(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(Cut(s, n-len("…"))) + "…"
}

// cleaned removes what a terminal would obey, and what changes the direction of text.
func cleaned(line string) string {
	if !strings.ContainsFunc(line, unwanted) && utf8.ValidString(line) {
		return line
	}
	line = escapes.ReplaceAllString(strings.ToValidUTF8(line, "\uFFFD"), "")
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return -1
		}
		return r
	}, line)
}

func unwanted(r rune) bool {
	if r < utf8.RuneSelf {
		control := r < ' ' || r == 0x7f
		return control && r != '\t'
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
