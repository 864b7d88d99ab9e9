package logs

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// LogFile is where a program says that it writes its log, beside what it prints.
type LogFile struct {
	Path, Line string
	At         time.Time
}

// namesLog matches a line that says so: "run 7 started, details in /var/log/etl/driver.log". A file that a job reads is not introduced so.
var namesLog = lazyregexp.New(`(?i)` +
	`\b(?:details?|see|logs?|logging|logfile|log file)\b(?: (?:are|is|in|at|to|file|written|goes|go|found|the)` +
	`|:|=)* ?((?:/[\w.@%+-]+)+\.(?:log|out|err|txt))\b`)

// LogFileOf is the last file that a log names as the one of its program; false: it names none. Traces of a shell show arguments.
func LogFileOf(l *app.Log, clock Clock) (out LogFile, found bool) {
	for _, text := range []string{l.Head, l.Tail} {
		for line := range lines(text) {
			line, at := unwrapped(line)
			m := namesLog.FindStringSubmatch(line)
			if m == nil || strings.HasPrefix(line, "+") {
				continue
			}
			if h, is := parseHeader(line); is && at.IsZero() {
				at = clock.utc(h.at, h.zoned)
			}
			out, found = LogFile{Path: m[1], Line: strings.TrimSpace(line), At: at}, true
		}
	}
	return out, found
}
