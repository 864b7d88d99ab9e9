package logs

import (
	"strings"
	"time"
)

// reader puts lines together to entries.
type reader struct {
	entries []entry
	open    bool // the last entry may go on
	last    string
	broken  int // the last entry that holds an exception, whose frames may come after lines of others; -1: none

	plain int // lines that no logger wrote
	left  int // bytes that are still to be read of the text

	finished header // the last task that finished
	paced    header // of its stage, the first one that finished since a task of another did
	atLoss   header // and that when the first executor was lost
	stage    header // the last stage whose tasks were submitted
	launched launched
	tries    attempts
	reports  reports // of streams
}

const (
	// maxPlain is how many lines that no logger wrote are kept of a log, beside those in its last lateBytes: a job may print its data.
	maxPlain  = 10_000
	lateBytes = 64 << 10
)

// read returns the story of a log. What stands between head and tail was not read, so that an entry ends with the head.
// Times that name no zone are those of the clock.
func read(head, tail string, clock Clock) *story {
	r := reader{broken: -1, launched: launched{}}
	r.text(head)
	r.open, r.broken = false, -1
	r.reports.close()
	if tail != "" {
		clear(r.launched) // they may have ended in what was not read
	}
	r.text(tail)
	r.reports.close()
	clock.set(&r)
	s := tell(&r)
	s.streams = r.reports.streams(clock)
	return s
}

func (r *reader) text(text string) {
	r.left = len(text)
	for line := range lines(text) {
		r.left -= len(line) + 1
		line, at := unwrapped(line)
		line = r.ungrouped(line)
		r.line(line, at)
		if strings.TrimSpace(line) != "" {
			r.last = line
		}
	}
}

// ungrouped removes the border that Python draws around the tracebacks of an ExceptionGroup (PEP 654). Of the group, only its own counts.
func (r *reader) ungrouped(line string) string {
	if strings.HasPrefix(line, "  + Exception Group Traceback") {
		return tracebackLine
	}
	current := r.current()
	if current == nil || !r.open || !current.python() {
		return line
	}
	if own, found := strings.CutPrefix(line, "  | "); found {
		return own
	}
	if strings.HasPrefix(line, "  +-") || strings.HasPrefix(line, "    | ") || strings.HasPrefix(line, "    +-") {
		return ""
	}
	return line
}

func (r *reader) line(line string, at time.Time) {
	if h, ok := parseHeader(line); ok {
		r.logged(h, line, at)
		return
	}
	r.reports.line(line)
	switch {
	case r.begins(line, at):
	case r.open && r.accepts(line):
		r.extend(line)
	case r.broken >= 0 && traceLine.MatchString(line):
		r.entries[r.broken].extend(line) // what the logger of another thread wrote came between
	case strings.TrimSpace(line) != "":
		r.tries.end()
		r.push(entry{header: printed(line, at), first: line})
	}
}

// logged begins an entry with the first line that a logger wrote. A record of JSON holds the others.
func (r *reader) logged(h header, line string, at time.Time) {
	h.milestone = milestoneOf(h.message)
	if !at.IsZero() {
		h.at, h.zoned = at, true // the runtime's clock is in front of it
	}
	if strings.HasPrefix(h.message, "Finished task ") {
		if stageIn(h.message) != stageIn(r.finished.message) {
			r.paced = h
		}
		r.finished = h
	}
	r.launched.take(h.message)
	if r.atLoss.message == "" && strings.HasPrefix(h.message, "Lost executor ") {
		r.atLoss = r.finished
	}
	if submittedStage.MatchString(h.message) {
		r.stage = h
	}
	r.tries.take(&h, line)
	r.reports.take(&h)
	first, rest, more := strings.Cut(h.message, "\n")
	h.message = first
	shown := line
	if line[0] == '{' {
		shown = first
	}
	r.push(entry{header: h, first: shown})
	if more {
		for line := range lines(rest) {
			r.extend(line)
		}
	}
}

// printed is the header of a line that no logger wrote, at the time that the runtime put before it.
func printed(message string, at time.Time) header {
	return header{at: at, zoned: !at.IsZero(), message: message}
}

// begins starts an entry with a line at which an exception that nothing caught is printed.
func (r *reader) begins(line string, at time.Time) bool {
	if m := inThread.FindStringSubmatch(line); m != nil {
		r.push(entry{header: printed(line[len(m[0]):], at), first: line, uncaught: javaDeath, thread: m[1]})
		return true
	}
	if spokenBySubmit.MatchString(line) && !r.inTraceback() {
		r.push(entry{header: printed(line, at), first: line})
		return true
	}
	if line == tracebackLine {
		if r.open && r.goesOn() {
			r.extend(line)
		} else {
			r.push(entry{header: printed(line, at), first: line, uncaught: pyDeath})
		}
		return true
	}
	if r.ofScript(line) {
		r.push(entry{header: printed(tracebackLine, at), first: line, uncaught: pyDeath, headless: true})
		r.extend(line)
		return true
	}
	return false
}

// ofScript reports whether a line is the frame of a syntax error of the script itself, which has no other before it.
func (r *reader) ofScript(line string) bool {
	if !strings.HasPrefix(line, " ") || !pyFrameLine.MatchString(line) {
		return false
	}
	current := r.current()
	return (current == nil || !current.python()) && !r.inTraceback()
}

// goesOn reports whether a traceback that begins belongs to the current entry: to a chain of exceptions, or to what a logger wrote.
func (r *reader) goesOn() bool {
	current := r.current()
	if current == nil {
		return false
	}
	logged := current.header.python && current.level >= warn && len(current.extra) == 0
	return logged || r.last == directCause || r.last == whileHandling || strings.Contains(r.last, pythonWorker)
}

// inTraceback reports whether the current entry holds a Python traceback: its own, or that of a Python worker.
func (r *reader) inTraceback() bool {
	current := r.current()
	if current == nil || !r.open {
		return false
	}
	if strings.HasSuffix(current.message, tracebackLine) {
		return true
	}
	for _, line := range current.extra {
		if strings.HasSuffix(line, tracebackLine) {
			return true
		}
	}
	return false
}

func (r *reader) current() *entry {
	if len(r.entries) == 0 {
		return nil
	}
	return &r.entries[len(r.entries)-1]
}

// push adds an entry. It takes the place of the one before it, if that reported nothing but progress.
func (r *reader) push(e entry) {
	r.add(e)
	thrown := e.level == plain && throwableName.MatchString(e.message)
	if thrown || e.uncaught == javaDeath {
		r.broken = len(r.entries) - 1
	}
}

func (r *reader) add(e entry) {
	r.open = true
	if e.level == plain && e.uncaught == caught {
		r.plain++
	}
	before := r.current()
	if before == nil {
		r.entries = append(r.entries, e)
		return
	}
	if e.at.IsZero() {
		e.at, e.zoned = before.at, before.zoned // it came after it, and nothing tells when
	}
	tooMany := r.plain > maxPlain && r.left > lateBytes && before.printed()
	if tooMany || before.routine() {
		*before = e
		return
	}
	r.entries = append(r.entries, e)
}
