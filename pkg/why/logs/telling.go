package logs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Telling is how much a line is likely to tell of a failure that no mechanism knows.
type Telling int

// From the least to the most. What follows from something else is shown only where nothing better was written.
const (
	TellsEffect   Telling = iota // an exception that says that something else went away
	TellsWarning                 // a warning of a logger
	TellsComplain                // a line that no logger wrote, with a word of failure
	TellsError                   // an error of a logger
	TellsSignal                  // that SIGTERM arrived, or that the JVM is shut down: it tells only where a signal ended it
	TellsRaised                  // an error with an exception
	TellsUncaught                // an exception that nothing caught
)

// Line is a line, and how much it tells.
type Line struct {
	cause.Proof
	Telling Telling
	Late    int // lines of its log that follow it, at most: of two that tell as much, the later one is nearer to what ended it
}

// TellingLines returns the lines of logs that tell most, each message once, the most telling first. Of an exception it is the deepest that
// does not only carry another, which says what happened, and never "Traceback (most recent call last)".
func TellingLines(e *app.Evidence) []Line {
	pods := podsByName(e)
	logs := ordered(e.Logs, pods)
	var out []Line
	seen := map[string]bool{}
	for i := range logs {
		log := &logs[i]
		if ofSidecar(log, pods) || earlier(log, pods) {
			continue
		}
		s := read(log.Head, log.Tail, ClockOf(e, log))
		for _, line := range s.telling(placeOf(log)) {
			key := withoutDigits(Cut(line.Value, 200))
			if !seen[key] {
				seen[key] = true
				out = append(out, line)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Line) int {
		if a.Telling == TellsEffect && b.Telling == TellsEffect {
			return cmp.Compare(b.Late, a.Late) // the first is nearest to what they follow from
		}
		return cmp.Or(cmp.Compare(b.Telling, a.Telling), cmp.Compare(a.Late, b.Late))
	})
	return out
}

// complains matches words of failure in a line that no logger wrote.
var complains = lazyregexp.New(`(?i)\b(?:error|exception|fatal|fail(?:ed|ure|s)?|denied|refused|cannot|can't|could not|unable|not found|` +
	`no such|invalid|missing|timed out|killed|abort(?:ed)?|panic)\b`)

// harmless are loggers whose warnings each job writes, and none fails for: native libraries, metrics and groups of Hadoop that are not set
// up, a plan too long to print (core-default.xml and NativeCodeLoader.java of apache/hadoop@rel/release-3.3.6; package.scala of
// org.apache.spark.sql.catalyst.util and ProcfsMetricsGetter.scala of apache/spark@v3.5.5).
func harmless() []string {
	return []string{"NativeCodeLoader", "MetricsConfig", "ShellBasedUnixGroupsMapping", "DomainSocketFactory", "SparkStringUtils",
		"ProcfsMetricsGetter", "GarbageCollectionMetrics", "package"}
}

// mostTelling is how many lines of one log are looked at: the last ones, behind the first that ended the process.
const mostTelling = 200

// A program outlived a warning if it wrote so many lines after it, or ran for so long.
const (
	mostAfterWarning    = 40
	longestAfterWarning = 5 * time.Minute
)

// outlived reports whether a program went on long after an entry.
func (s *story) outlived(at int) bool {
	last := len(s.entries) - 1
	return last-at > mostAfterWarning || s.timeOf(last).Sub(s.timeOf(at)) > longestAfterWarning
}

func (s *story) telling(in place) []Line {
	var out []Line
	for at := len(s.entries) - 1; at >= 0 && len(out) < mostTelling; at-- {
		e := &s.entries[at]
		if at == s.signal || at == s.stopping && s.byHook && s.signal < 0 {
			out = append(out, Line{Proof: cause.Proof{Object: in.subject, Field: in.field, At: s.timeOf(at),
				Value: Shortened(strings.Join(strings.Fields(e.message), " "), maxQuote)}, Telling: TellsSignal})
			continue
		}
		ofNoConcern := e.level == warn && slices.Contains(harmless(), e.logger)
		if ofNoConcern || e.level.belowWarn() {
			continue
		}
		text, telling := s.told(at)
		if text == "" || telling == TellsWarning && s.outlived(at) {
			continue
		}
		out = append(out, Line{Proof: cause.Proof{Object: in.subject, Field: in.field, Value: text, At: s.timeOf(at)}, Telling: telling,
			Late: len(s.entries) - 1 - at})
	}
	return out
}

// told is what an entry says, in one line.
func (s *story) told(at int) (string, Telling) {
	e := &s.entries[at]
	if links := s.chain(at); len(links) > 0 {
		root := rootOf(links)
		text := root.class + ": " + root.message
		if root.class == "" || root.message == "" {
			text = root.class + root.message
		}
		if f := ownFrame(links); f != nil {
			text += " at " + f.place().String()
		}
		text = Shortened(strings.Join(strings.Fields(text), " "), maxQuote)
		switch {
		case effects(links):
			return text, TellsEffect
		case e.uncaught != caught:
			return text, TellsUncaught
		default:
			return text, TellsRaised
		}
	}
	text := Shortened(strings.Join(strings.Fields(e.message), " "), maxQuote)
	stops := s.stopping >= 0 && at > s.stopping
	switch {
	case stops && e.level == warn:
		return "", 0
	case effectMessage.MatchString(e.message), stops && e.level != plain:
		return text, TellsEffect
	case e.level >= failure:
		return text, TellsError
	case e.level == warn:
		return text, TellsWarning
	case e.uncaught == caught && complains.MatchString(text):
		return text, TellsComplain
	default:
		return "", 0
	}
}
