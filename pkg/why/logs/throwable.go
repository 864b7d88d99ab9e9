package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// link is one exception of a chain.
type link struct {
	class, message string
	frames         []frame
	python         bool
	text           string // its first line, as it was printed
	home           string // of the application; see frame.own
}

const (
	maxMessage = 2 << 10
	maxLinks   = 60
	// maxNested is how many exceptions are taken out of the message of another.
	maxNested = 8
)

var (
	className = lazyregexp.New(`^((?:[a-zA-Z_]\w*\.)*[A-Z][\w$]*)(?:\(([\w.$]+)\))?(?:: ?|$)`)
	thriftOf  = lazyregexp.New(`^((?:[a-zA-Z_]\w*\.)*\w+Exception)\(message:`)
	inMessage = lazyregexp.New(`(?:^|[\s:;(])((?:[a-zA-Z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error)(?:\([\w.$]+\))?: )`)
	// core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5, and @v2.4.8 behind a comma or without parentheses.
	lostTask = lazyregexp.New(`Lost task (\d+)\.\d+ in stage (\d+)\.\d+ \(TID \d+(?:, [^)]*?executor (\w+))?[^)]*\)` +
		`(?: \([^)]*?executor (\w+)\))?(?: on [^:]{0,200}?executor (\w+))?: `)
	// core/src/main/scala/org/apache/spark/TaskEndReason.scala@v3.5.5: these are no exceptions, and print themselves so.
	taskEnd = lazyregexp.New(`^(ExecutorLostFailure|FetchFailed|TaskKilled|TaskCommitDenied|TaskResultLost)\b`)
	// A failure that was told before is told as "CLASS (MESSAGE) [duplicate N]"; the last line of a longer message is this
	// (handleFailedTask in core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5).
	againEnds = lazyregexp.New(`^\) \[duplicate \d+\]$`)
	// core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.5.5
	mostRecent = lazyregexp.New(`(?i)most recent failure(?: reason)?: ?`)
	pyClass    = lazyregexp.New(`^([A-Za-z_][\w.]*)(?:: ?|$)`)
)

// chainReader puts the exceptions of one entry together. Groups are in the order in which they were raised; in a group, an exception comes
// before those that it was caused by.
type chainReader struct {
	groups     [][]link
	links      int
	pending    []frame // of a traceback whose exception is still to come
	traceback  bool
	suppressed bool
	expectJava bool
}

// chain returns the exceptions of an entry, the one that was raised first before all others; empty: it has none.
func chain(e *entry) []link {
	var c chainReader
	c.message(e.message, e.uncaught == javaDeath)
	for _, line := range e.extra {
		c.line(line)
	}
	var out []link
	for _, group := range c.groups {
		for i := len(group) - 1; i >= 0; i-- {
			out = append(out, group[i])
		}
	}
	return out
}

// message takes the first line of an entry. That of an exception that nothing caught begins with it.
func (c *chainReader) message(line string, uncaught bool) {
	trimmed := strings.TrimSpace(line)
	switch {
	case c.ofTrace(line, trimmed):
	case uncaught:
		c.add(trimmed, 0)
	default:
		c.firstLine(trimmed)
	}
}

// line takes a further line of an entry.
func (c *chainReader) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case c.suppressed && strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\tat "): // of an exception that is left out
	case c.ofTrace(line, trimmed):
	case throwableName.MatchString(trimmed):
		c.add(trimmed, 0)
	default:
		c.proceed(trimmed)
	}
}

// ofTrace takes a line by which a JVM, Python or Spark puts an exception, its frames and its causes together; false: it is none.
func (c *chainReader) ofTrace(line, trimmed string) bool {
	switch {
	case strings.HasPrefix(line, "\tSuppressed: "):
		c.suppressed = true
	case strings.HasPrefix(trimmed, "Caused by: "):
		c.suppressed = false
		c.add(strings.TrimPrefix(trimmed, "Caused by: "), 0)
	case c.javaFrame(line), strings.HasPrefix(trimmed, "..."):
	case againEnds.MatchString(trimmed):
		c.traceback, c.pending = false, nil
	case c.pythonLine(line, trimmed):
	case line == directCause || line == whileHandling:
		c.groups = append(c.groups, nil)
	case strings.HasPrefix(trimmed, "Driver stacktrace:"): // the frames that follow are of the current exception
	case strings.HasPrefix(trimmed, "JVM stacktrace:"):
		c.expectJava = true
	case strings.HasPrefix(line, ": ") && !strings.HasPrefix(line, ":  ") && c.current() != nil: // of py4j; plans of Spark have ":  +- "
		c.add(line[2:], 0)
	case c.expectJava && trimmed != "":
		c.expectJava = false
		c.add(trimmed, 0)
	default:
		return false
	}
	return true
}

// firstLine looks for an exception in the message of a logger.
func (c *chainReader) firstLine(trimmed string) {
	if at := lostTask.FindStringIndex(trimmed); at != nil {
		c.add(trimmed[at[1]:], 0)
		return
	}
	if throwableName.MatchString(trimmed) {
		c.add(trimmed, 0)
		return
	}
	if at := inMessage.FindStringSubmatchIndex(trimmed); at != nil {
		c.add(trimmed[at[2]:], 0)
	} else if text, found := strings.CutPrefix(trimmed, "Terminating due to "); found { // -XX:+ExitOnOutOfMemoryError of the JVM
		c.add(text, 0)
	}
}

func (c *chainReader) javaFrame(line string) bool {
	f, ok := parseJavaFrame(line)
	if !ok {
		return false
	}
	if current := c.current(); current != nil && !c.suppressed && len(current.frames) < maxExtra {
		current.frames = append(current.frames, f)
	}
	return true
}

// pythonLine takes the lines of a traceback.
func (c *chainReader) pythonLine(line, trimmed string) bool {
	if trimmed == tracebackLine {
		c.traceback, c.pending = true, nil
		return true
	}
	if !c.traceback {
		return false
	}
	if m := pyFrameLine.FindStringSubmatch(line); m != nil {
		c.pending = append(c.pending, frame{name: m[3], file: m[1], line: m[2], python: true, text: trimmed})
		return true
	}
	if trimmed == "" || line[0] == ' ' || line[0] == '\t' {
		return true // source of a frame
	}
	c.traceback = false
	text := trimmed
	l := link{python: true, text: text, message: text}
	if m := pyClass.FindStringSubmatch(text); m != nil {
		l.class, l.message = m[1], text[len(m[0]):]
	}
	// The last frame is where it was raised.
	for i := len(c.pending) - 1; i >= 0; i-- {
		l.frames = append(l.frames, c.pending[i])
	}
	c.pending = nil
	c.put(l)
	c.nested(l.message, 0)
	return true
}

// proceed goes on with the message of an exception.
func (c *chainReader) proceed(trimmed string) {
	current := c.current()
	if current == nil || trimmed == "" {
		return
	}
	inFrames := len(current.frames) > 0 && !current.python
	if inFrames || len(current.message) > maxMessage {
		return
	}
	current.message = strings.TrimSpace(current.message + "\n" + trimmed)
	c.nested(trimmed, 0)
}

// add takes the exception that a text begins with, and those that its message holds.
func (c *chainReader) add(text string, depth int) {
	if depth > maxNested {
		return
	}
	l := link{message: text, text: strings.TrimSpace(text)}
	if m := taskEnd.FindStringSubmatch(text); m != nil {
		l.class, l.message = m[1], text
		c.put(l)
		return
	}
	if m := thriftOf.FindStringSubmatch(text); m != nil {
		l.class, l.message = m[1], text[len(m[0]):]
	} else if m := className.FindStringSubmatch(text); m != nil {
		l.class, l.message = m[1], text[len(m[0]):]
		if m[2] != "" {
			l.class = m[2] // RemoteException(class): what the server raised
		}
	}
	l.message = Shortened(strings.TrimSpace(l.message), maxMessage)
	c.put(l)
	c.nested(l.message, depth+1)
}

// nested takes the exceptions that a message holds.
func (c *chainReader) nested(message string, depth int) {
	if strings.HasSuffix(message, tracebackLine) {
		c.traceback, c.pending = true, nil
		return
	}
	if at := lostTask.FindStringIndex(message); at != nil {
		c.add(message[at[1]:], depth)
		return
	}
	if at := mostRecent.FindStringIndex(message); at != nil && at[1] < len(message) {
		c.add(message[at[1]:], depth)
		return
	}
	if at := inMessage.FindStringSubmatchIndex(message); at != nil {
		c.add(message[at[2]:], depth)
		return
	}
	// What the scheduler itself gave a job up for, such as results that are too large, has no exception of its own.
	if reason, found := strings.CutPrefix(message, "Job aborted due to stage failure: "); found && c.current() != nil {
		c.put(link{class: c.current().class, message: reason, text: reason})
	}
}

// put adds a link. One that the message of an earlier one held already is the same, with its frames to come.
func (c *chainReader) put(l link) {
	if c.links >= maxLinks {
		return
	}
	if len(c.groups) == 0 {
		c.groups = append(c.groups, nil)
	}
	group := c.groups[len(c.groups)-1]
	for i := range group {
		same := group[i].class == l.class && l.class != "" && len(group[i].frames) == 0 && i > 0
		if same && strings.HasPrefix(group[i].message, strings.TrimSuffix(Cut(l.message, 80), "…")) {
			return
		}
	}
	c.links++
	c.groups[len(c.groups)-1] = append(group, l)
}

func (c *chainReader) group() []link {
	if len(c.groups) == 0 {
		return nil
	}
	return c.groups[len(c.groups)-1]
}

// current is the exception whose frames and message come next.
func (c *chainReader) current() *link {
	group := c.group()
	if len(group) == 0 {
		return nil
	}
	return &group[len(group)-1]
}
