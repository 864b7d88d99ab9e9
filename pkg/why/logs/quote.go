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

// quoted returns the lines that show a candidate: where it is told, the exceptions of its chain, the frame of the application, and where
// the process gave up.
func (s *story) quoted(c *candidate) []quote {
	var out []quote
	add := func(line string, at time.Time) {
		text := Shortened(strings.Join(strings.Fields(line), " "), maxQuote)
		if text == "" || len(out) >= maxProofs || slices.ContainsFunc(out, func(q quote) bool { return strings.Contains(q.text, text) }) {
			return
		}
		out = append(out, quote{line, text, at})
	}
	at := s.timeOf(c.at)
	e := &s.entries[c.at]
	signature := c.verdict.signature()
	for _, led := range c.before {
		line := s.entries[led].first
		if len(s.chain(led)) == 0 {
			line = s.telltale(led, signature)
		}
		add(line, s.timeOf(led))
	}
	if _, crash := c.verdict.meaning.(JVMCrashed); crash && len(c.links) > 0 {
		add(c.links[len(c.links)-1].text, at) // the frame; the report begins with an empty line
	}
	if len(c.links) == 0 || len(s.chain(c.at)) == 0 {
		add(s.telltale(c.at, signature), at)
	} else {
		add(e.first, at)
	}
	if len(c.losses) > 0 {
		for _, line := range e.extra[:min(len(e.extra), mostBelow)] {
			given := endReason.MatchString(line) && !strings.HasSuffix(line, "null") && !strings.HasSuffix(line, "N/A")
			if given || exitCode.MatchString(line) || strings.Contains(line, "deleted by a user") {
				add(line, at)
			}
		}
	}
	// The root comes first in the chain.
	for i := len(c.links) - 1; i >= 0; i-- {
		if i <= 2 || i >= len(c.links)-2 || &c.links[i] == c.verdict.root {
			add(c.links[i].text, at)
		}
	}
	if c.verdict.root != nil {
		add(c.verdict.root.message, at)
	}
	if c.verdict.frame != nil {
		add(c.verdict.frame.text, at)
	}
	if c.end >= 0 && c.end != c.at {
		add(s.entries[c.end].first, s.timeOf(c.end))
	}
	if len(c.losses) > 1 {
		last := c.losses[len(c.losses)-1].at
		add(s.entries[last].first+" ("+strconv.Itoa(len(c.losses))+" in all)", s.timeOf(last))
	}
	return out
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
