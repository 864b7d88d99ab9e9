package logs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// quote is a line that shows something.
type quote struct {
	line string // as the log has it
	text string // in one line, not too long
	at   time.Time
}

const maxQuote = 900

// quotes are lines that show something, none of them twice.
type quotes []quote

// add takes a line, unless one that was taken holds it.
func (q *quotes) add(line string, at time.Time) {
	text := Shortened(strings.Join(strings.Fields(line), " "), maxQuote)
	held := slices.ContainsFunc(*q, func(q quote) bool { return strings.Contains(q.text, text) })
	if text != "" && len(*q) < maxProofs && !held {
		*q = append(*q, quote{line, text, at})
	}
}

// quoted returns the lines that show a candidate: those that led to it, its own, and the last one of the process.
func (s *story) quoted(c *candidate) []quote {
	var out quotes
	for _, led := range c.before {
		out.add(s.headline(led, c.verdict.signature()), s.timeOf(led))
	}
	at := s.timeOf(c.at)
	for _, line := range s.ownLines(c) {
		out.add(line, at)
	}
	if c.end >= 0 && c.end != c.at {
		out.add(s.entries[c.end].first, s.timeOf(c.end))
	}
	if n := len(c.losses); n > 1 {
		last := c.losses[n-1].at
		out.add(s.entries[last].first+" ("+strconv.Itoa(n)+" in all)", s.timeOf(last))
	}
	return out
}

// ownLines are those of the entry that tells a candidate: the one that says it, the exceptions of its chain, the frame of the application.
func (s *story) ownLines(c *candidate) []string {
	e := &s.entries[c.at]
	var out []string
	if _, crash := c.verdict.meaning.(JVMCrashed); crash && len(c.links) > 0 {
		out = append(out, c.links[len(c.links)-1].text) // the frame; the report begins with an empty line
	}
	if len(c.links) == 0 {
		out = append(out, s.telltale(c.at, c.verdict.signature()))
	} else {
		out = append(out, s.headline(c.at, c.verdict.signature()))
	}
	if len(c.losses) > 0 {
		out = append(out, e.reasons()...)
	}
	// The root comes first in the chain.
	for i := len(c.links) - 1; i >= 0; i-- {
		if i <= 2 || i >= len(c.links)-2 || &c.links[i] == c.verdict.root {
			out = append(out, c.links[i].text)
		}
	}
	if c.verdict.root != nil {
		out = append(out, c.verdict.root.message)
	}
	if c.verdict.frame != nil {
		out = append(out, c.verdict.frame.text)
	}
	return out
}

// reasons are the lines below the loss of an executor that say why it ended.
func (e *entry) reasons() []string {
	return slices.DeleteFunc(slices.Clone(e.extra[:min(len(e.extra), mostBelow)]), func(line string) bool {
		given := endReason.MatchString(line) && !strings.HasSuffix(line, "null") && !strings.HasSuffix(line, "N/A")
		return !given && !exitCode.MatchString(line) && !strings.Contains(line, "deleted by a user")
	})
}

// headline is the line that an entry begins with, or where it has no exception, the one that a signature knows.
func (s *story) headline(at int, signature string) string {
	if len(s.chain(at)) > 0 {
		return s.entries[at].first
	}
	return s.telltale(at, signature)
}

// telltale is the line of an entry that a signature knows: the first, or one below what a logger wrote and that has nothing to do with it,
// as of a program that does not log, such as Python, or of a message of several lines.
func (s *story) telltale(at int, signature string) string {
	e := &s.entries[at]
	knows := func(line string) bool {
		known, is := catalog.Line(line)
		return is && known.Signature.ID == signature
	}
	if signature == "" || knows(e.first) {
		return e.first
	}
	if i := slices.IndexFunc(e.extra[:min(len(e.extra), mostBelow)], knows); i >= 0 {
		return e.extra[i]
	}
	return e.first
}

// mostBelow bounds the lines below that of a logger in which a match is looked for.
const mostBelow = 30

// timeOf is when an entry was written. What no logger wrote came after the line before it.
func (s *story) timeOf(at int) time.Time {
	for ; at >= 0; at-- {
		if !s.entries[at].at.IsZero() {
			return s.entries[at].at
		}
	}
	return time.Time{}
}
