package logs

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// level is how severe a program says that a line is.
type level int

const (
	plain level = iota // printed by no logger
	debug
	info
	warn
	failure
	fatal
)

// belowWarn reports whether a logger said that the line is of no concern.
func (l level) belowWarn() bool { return l == info || l == debug }

// header is the first line of what a logger wrote.
type header struct {
	at              time.Time
	zoned           bool // the time names its zone
	level           level
	logger, message string
	milestone       milestone // that the message tells
	python          bool      // written by the module logging of Python
}

// Layouts: core/src/main/resources/org/apache/spark/log4j2-defaults.properties@v3.5.5 ("%d{yy/MM/dd HH:mm:ss} %p %c{1}: %m"), those with
// ISO 8601 and a thread of images, logging.BASIC_FORMAT of Python, klog, and zap of programs in Go.
var (
	stamp = lazyregexp.New(`^\[?(\d{2}|\d{4})([-/])(\d{2})[-/](\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?(Z` +
		`|[+-]\d{2}:?\d{2}| UTC)?\]?(?:[\s:|]+|$)`)
	// What may stand between time and level: a thread in brackets, or the name of a logger of Python between dashes.
	levelled = lazyregexp.New(`^(?:\[[^\]]{0,80}\]\s*|- \S{1,80} - |\S{1,80} - |\|\s*)?` +
		`\[?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|debug|info|warn|error|fatal)\]?(?:[\s:|]+|$)`)
	// Most lines have the level at once, which takes a fraction of the time.
	levelFirst = lazyregexp.New(`^(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)(?:[\s:|]+|$)`)
	// Python's "%(asctime)s %(name)s %(levelname)s %(message)s": a name alone between time and level.
	namedFirst = lazyregexp.New(`^([A-Za-z_][\w.$-]{0,79})\s+(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)(?:[\s:|]+|$)`)
	// Logback's default begins with a time without a date (BasicConfigurator.java, logback@v_1.4.14).
	timeOnly   = lazyregexp.New(`^\d{2}:\d{2}:\d{2}[.,]\d{3} +`)
	threadName = lazyregexp.New(`^(?:- )?[\[(][^\])]{0,80}[\])]\s*`)
	// Behind the name of a logger stand the number of its line, its thread, and a separator.
	behindLogger = lazyregexp.New(`^(?::\d{1,5})?(?: \[[^\]]{1,80}\])?(?:: | - |: ?$| -$)`)
	// A thread in parentheses ends the name ("%d %p %c{1} (%t) %m"). What a message has in parentheses names no thread.
	threadBehind = lazyregexp.New(`^ \((?:main|[^()]{0,80}(?:-\d|[tT]hread)[^()]{0,80})\):? `)
	pyBasic      = lazyregexp.New(`^(DEBUG|INFO|WARNING|ERROR|CRITICAL):([\w.]{1,80}):`)
	pyLogger     = lazyregexp.New(`^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*$`) // after the modules; loggers of Java are named after classes
	klogHead     = lazyregexp.New(`^([IWEF])(\d{2})(\d{2}) (\d{2}:\d{2}:\d{2})\.\d{6}\s+\d+ ([\w.-]+:\d+)\] `)
	criPrefix    = lazyregexp.New(`^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6,9}(?:Z|[+-]\d{2}:\d{2})) (?:(?:stdout|stderr) [FP] )?`)
)

// unwrapped removes the time that `kubectl logs --timestamps` or a container runtime puts before each line.
func unwrapped(line string) (string, time.Time) {
	if len(line) < 20 || line[0] < '0' || line[0] > '9' {
		return line, time.Time{}
	}
	m := criPrefix.FindStringSubmatch(line)
	if m == nil {
		return line, time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, m[1])
	if err != nil || !snapshot.Writable(at) {
		return line, time.Time{}
	}
	return line[len(m[0]):], at.UTC()
}

// parseHeader reads the line as the first of what a logger wrote.
func parseHeader(line string) (header, bool) {
	if line == "" || strings.IndexByte(" \t+#", line[0]) >= 0 {
		return header{}, false
	}
	if line[0] == '{' {
		return parseStructured(line)
	}
	if m := klogHead.FindStringSubmatch(line); m != nil {
		return header{level: levelOf(m[1]), logger: m[5], message: line[len(m[0]):]}, true
	}
	if !namesLevel(line) {
		return header{}, false
	}
	if m := pyBasic.FindStringSubmatch(line); m != nil {
		return header{level: levelOf(m[1]), logger: m[2], message: line[len(m[0]):], python: true}, true
	}
	return parseLevelled(line)
}

// parseLevelled reads a line of a time, a level, perhaps a thread and the name of a logger, and a message. The time may be of the day
// alone, come after the level, or be left out.
func parseLevelled(line string) (header, bool) {
	h, rest := timed(line)
	ofDay := timeOnly.FindString(rest)
	rest = rest[len(ofDay):]
	m := levelIn(rest)
	if m == nil {
		return namedHeader(h, rest)
	}
	head, rest := rest[:len(m[0])], rest[len(m[0]):]
	h.level = levelOf(m[1])
	if ofDay != "" {
		return h.named(threadName.ReplaceAllString(rest, "")), true
	}
	if h.at.IsZero() && !beginsLog(head) {
		return header{}, false
	}
	if h.python = strings.Contains(head, " - ") && strings.HasSuffix(strings.TrimSpace(head), m[1]); h.python {
		before, _, _ := strings.Cut(head, " - ")
		if name := strings.TrimPrefix(before, "- "); pyLogger.MatchString(name) {
			h.logger = name
		}
	}
	h.python = h.python || m[1] == "WARNING" && !h.at.IsZero() // as Python names the level, and no logger of Java in one line
	if h.at.IsZero() {
		var late header // whose time stands behind the level
		late, rest = timed(rest)
		h.at = late.at
	}
	if h.python {
		rest = strings.TrimPrefix(rest, "- ")
	}
	return h.named(threadName.ReplaceAllString(rest, "")), true
}

// levelIn matches what is in front of a message, up to its level. A word before a dash names a logger, also where it is that of a level.
func levelIn(rest string) []string {
	word, _, _ := strings.Cut(rest, " ")
	if !strings.HasPrefix(rest[len(word):], " - ") {
		if m := levelFirst.FindStringSubmatch(rest); m != nil {
			return m
		}
	}
	return levelled.FindStringSubmatch(rest)
}

// timed reads the time that a text begins with, and returns the rest.
func timed(text string) (header, string) {
	m := stamp.FindStringSubmatch(text)
	if m == nil {
		return header{}, text
	}
	return header{at: parseStamp(m), zoned: m[7] != ""}, text[len(m[0]):]
}

// beginsLog reports whether a line without a time begins as a logger would. A program says "error: something", and the JVM or a shell
// "WARNING: An illegal reflective access".
func beginsLog(level string) bool {
	return startsUpper(level) && !strings.HasSuffix(strings.TrimSpace(level), ":")
}

// namedHeader reads a line that names the logger between time and level.
func namedHeader(h header, rest string) (header, bool) {
	m := namedFirst.FindStringSubmatch(rest)
	if m == nil || h.at.IsZero() {
		return header{}, false
	}
	h.level = levelOf(m[2])
	h.logger, h.python = m[1], pyLogger.MatchString(m[1])
	h.message = strings.TrimSpace(rest[len(m[0]):])
	return h, true
}

// named is the header with what follows its level: the name of the logger, if there is one, and the message.
func (h header) named(rest string) header {
	name, behind := loggerAt(rest)
	if name != "" && !throwableName.MatchString(name) {
		h.logger, rest = name, behind
		h.python = h.python || pyLogger.MatchString(name)
	}
	h.message = strings.TrimSpace(rest)
	return h
}

// longestLogger is how many bytes the name of a logger has.
const longestLogger = 160

// loggerAt returns the name of a logger with which a text begins, and what is behind it.
func loggerAt(text string) (name, behind string) {
	end := 0
	for end < len(text) && inLoggerName(text[end]) {
		end++
	}
	if end == 0 || end > longestLogger {
		return "", ""
	}
	behind = text[end:]
	separator := threadBehind.FindString(behind)
	if separator == "" {
		separator = behindLogger.FindString(behind)
	}
	if separator == "" {
		return "", ""
	}
	return text[:end], behind[len(separator):]
}

func inLoggerName(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '.' || c == '$' || c == '_' || c == '-'
}

// namesLevel spares lines without the word of a level a look by the expressions.
func namesLevel(line string) bool {
	begin := Cut(line, 300)
	for _, word := range []string{"INFO", "WARN", "ERROR", "DEBUG", "FATAL", "CRITICAL", "TRACE", "SEVERE", "info", "warn", "error",
		"debug", "fatal"} {
		if strings.Contains(begin, word) {
			return true
		}
	}
	return false
}

func startsUpper(s string) bool {
	if s == "" {
		return false
	}
	upper := s[0] >= 'A' && s[0] <= 'Z'
	return upper || s[0] == '['
}

// parseStamp reads a time. One without a zone is taken for UTC: a Clock puts it right.
func parseStamp(m []string) time.Time {
	year := m[1]
	if len(year) == 2 {
		year = "20" + year
	}
	zone := strings.ReplaceAll(strings.TrimSpace(m[7]), ":", "")
	if zone == "" || zone == "Z" || zone == "UTC" {
		zone = "+0000"
	}
	text := year + "-" + m[3] + "-" + m[4] + "T" + m[5]
	if m[6] != "" {
		text += "." + m[6]
	}
	at, err := time.Parse("2006-01-02T15:04:05Z0700", text+zone)
	if err != nil || !snapshot.Writable(at) {
		return time.Time{}
	}
	return at.UTC()
}

func levelOf(word string) level {
	switch strings.ToUpper(word) {
	case "TRACE", "DEBUG":
		return debug
	case "INFO", "I":
		return info
	case "WARN", "WARNING", "W":
		return warn
	case "ERROR", "SEVERE", "E":
		return failure
	case "FATAL", "CRITICAL", "F":
		return fatal
	default:
		return plain
	}
}
