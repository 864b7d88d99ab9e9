package casefile

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// located is a quote that only repeats a statement, with the frame of the stack instead of its file and line: it names the class or the
// function, too. Empty: the quote says more than the statement, or no frame is known.
func (d *Document) located(statement, said string) string {
	at := strings.LastIndex(said, " at ")
	if at < 0 || !strings.Contains(statement, said) {
		return ""
	}
	place := said[at+len(" at "):]
	for _, e := range d.Verdict.Evidence {
		if frame := oneLine(e.Value); !e.Beside && ofPlace(frame, place) {
			return said[:at] + " · " + frame
		}
	}
	return ""
}

// frames are those of a stack of Java, "at CLASS.METHOD(FILE:LINE)", and of Python, 'File "PATH", line LINE, in FUNCTION'.
var frames = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once, never changed
	return regexp.MustCompile(`^(?:at [^ (]+\(([^():]+):(\d+)\)|File "([^"]+)", line (\d+), in [^ ]+)$`)
})

// ofPlace reports whether a frame is of a place, "FILE:LINE".
func ofPlace(frame, place string) bool {
	m := frames().FindStringSubmatch(frame)
	return m != nil && path.Base(m[1]+m[3])+":"+m[2]+m[4] == place
}
