package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// logged is what a logger or a program wrote that explains a failure, where no exception ended the process; only before a position, if
// that is not negative.
func (s *story) logged(how outcome, before int) (candidate, bool) {
	found := candidate{at: -1}
	for _, at := range s.spoken(before) {
		e := &s.entries[at]
		doubtful := how == unknownEnd && at < len(s.entries)-1  // whether anything failed is not known
		mild := e.level == warn || doubtful && e.level != plain // a warning never says so by itself, nor then an error
		c := s.byLines(at, before, how)
		certain := c.verdict.strength == Certain
		switch {
		case certain && (how != signaled || e.level == plain):
			return c, true
		case how == signaled, mild && !certain:
			continue
		case found.at < 0 && c.verdict.strength > EffectOnly:
			found = c
		}
		if doubtful || e.level == warn {
			continue
		}
		if c := s.judge(at); c.verdict.strength >= Plausible && c.verdict.strength > found.verdict.strength {
			c.proven = false
			found = c
		}
	}
	return found, found.at >= 0
}

// byLines is what the catalogue says of the lines of an entry, and of its exceptions where they mean the same: their frames may say more.
func (s *story) byLines(at, before int, how outcome) candidate {
	e := &s.entries[at]
	c := candidate{at: at, end: before, verdict: lineVerdict(e)}
	if c.verdict.signature() != "" {
		links := s.chain(at)
		if v := judged(links); v.signature() == c.verdict.signature() && v.strength == c.verdict.strength {
			c.verdict, c.links = v, links
		}
	}
	if c.verdict.strength < Certain {
		return c
	}
	if c.verdict.root != nil {
		s.attribute(&c)
	}
	cutOff := c.verdict.root == nil && exceptionLine.MatchString(e.message) // its frames could tell something else
	c.proven = e.level == plain && s.work < at && how != signaled && !cutOff
	return c
}

// maxSpoken bounds the entries that are looked at for their words.
const maxSpoken = 2000

// spoken returns the entries that may tell a failure, one of those that differ only in numbers. Of very many, the first and the last.
func (s *story) spoken(before int) []int {
	var out []int
	seen := map[string]bool{}
	for at := range s.entries {
		e := &s.entries[at]
		past := before >= 0 && at >= before
		afterStop := s.stopping >= 0 && at > s.stopping && e.level != plain
		if past || afterStop {
			break
		}
		if at < s.work {
			continue // the job went on from there
		}
		// A task that failed was tried again, unless a job was given up for it: then that is what ended the process.
		if e.level.belowWarn() || strings.HasPrefix(e.message, "Lost ") {
			continue
		}
		key := Cut(e.message, 200)
		if len(e.extra) > 0 {
			key += "\n" + Cut(e.extra[0], 200)
		}
		key = withoutDigits(key)
		if !seen[key] {
			seen[key] = true
			out = append(out, at)
		}
	}
	return ends(out, maxSpoken)
}

// withoutDigits is what lines have in common that differ in numbers only.
func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// lineVerdict is what the catalogue says of the lines of an entry that are no stack trace.
func lineVerdict(e *entry) verdict {
	if e.level.belowWarn() {
		return verdict{}
	}
	var best verdict
	best.improve(e.message)
	for _, line := range e.extra[:min(len(e.extra), mostWords)] {
		if !traceLine.MatchString(line) && strings.TrimSpace(line) != "" {
			best.improve(line)
		}
	}
	alone := e.level == plain && e.uncaught == caught && len(e.extra) == 0
	if best.strength > EffectOnly || !alone {
		return best
	}
	if f, ok := familyOf(&link{message: e.message}); ok {
		return verdict{meaning: OfKind{Kind: f.kind, Line: e.message}, strength: Plausible, class: f.kind.Class()}
	}
	return best
}

// mostWords is how many lines below that of a logger are compared with the catalogue.
const mostWords = 50

// improve takes what the catalogue says of a line, where it is surer of that.
func (v *verdict) improve(line string) {
	if notPackage.MatchString(line) {
		*v = shadowing(&link{message: line})
		return
	}
	if v.strength == Certain {
		return
	}
	m, ok := catalog.Line(line)
	if !ok || m.Signature.Effect {
		return
	}
	strength := Plausible
	if m.Signature.Certain {
		strength = Certain
	}
	if strength > v.strength {
		*v = verdict{meaning: Known{Signature: m.Signature, Groups: m.Groups}, strength: strength, class: m.Signature.Class}
	}
}

// exceptionLine is an exception that stands alone on a line.
var exceptionLine = lazyregexp.New(`^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning)(?::|$)`)

// maxOwnLines is how many lines of a log are compared with signatures that are not built in.
const maxOwnLines = 200

// byOwn asks a team's own signatures about what was found, where no built-in one explains it, and of that about no message that a built-in
// one fits. Their answer is never proven.
func (s *story) byOwn(own *catalog.Set, c candidate, found bool, how outcome) (candidate, bool) {
	explained := c.verdict.signature() != "" || c.verdict.strength == Certain || len(c.lost.Executors) > 0
	switch {
	case len(own.Signatures()) == 0, found && explained:
		return c, found
	case !found && how != failed:
		return c, false // nothing failed, as far as is known
	case !found:
		c = candidate{at: len(s.entries), end: -1}
	}
	for i := range c.links {
		l := &c.links[i]
		if _, known := catalog.Exception(l.class, l.message); known {
			continue
		}
		if m, ok := own.Exception(l.class, l.message); ok {
			return s.leftBy(c.explained(m, l)), true
		}
	}
	m, at, ok := s.ownLine(own, s.ownEntries(&c, found))
	if !ok {
		return c, found
	}
	if at != c.at {
		c = candidate{at: at, end: c.end, links: c.links}
	}
	return c.explained(m, c.verdict.root), true
}

// ownLine is the first line of these entries that one of a team's own signatures fits, and no built-in one, and where it is.
func (s *story) ownLine(own *catalog.Set, entries []int) (catalog.Match, int, bool) {
	left := maxOwnLines
	for _, at := range entries {
		e := &s.entries[at]
		for _, line := range append([]string{e.message}, e.extra...) {
			if left--; left < 0 {
				return catalog.Match{}, 0, false
			}
			if m, ok := own.Line(line); ok && !traceLine.MatchString(line) && !builtIn(line) {
				return m, at, true
			}
		}
	}
	return catalog.Match{}, 0, false
}

// builtIn reports whether a built-in signature fits a line, or the exception that it begins with.
func builtIn(line string) bool {
	if _, fits := catalog.Line(line); fits {
		return true
	}
	line = inThread.ReplaceAllString(line, "")
	m := className.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	_, fits := catalog.Exception(m[1], line[len(m[0]):])
	return fits
}

// ownEntries are those that may tell why: that of the candidate, then, unless code of the application raised it, those before it, the
// last one first.
func (s *story) ownEntries(c *candidate, found bool) []int {
	var out []int
	if found {
		out = append(out, c.at)
		for _, at := range append(slices.Clone(c.before), c.end) {
			if at >= 0 && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	if c.verdict.strength >= OwnCode {
		return out
	}
	before := s.spoken(c.at)
	slices.Reverse(before)
	return append(out, before...)
}

// explained is the candidate with the meaning of a signature that is not built in: whether it is right is unclear.
func (c candidate) explained(m catalog.Match, root *link) candidate {
	c.proven = false
	c.verdict = verdict{meaning: Known{Signature: m.Signature, Groups: m.Groups}, strength: Unclear, class: m.Signature.Class, root: root,
		frame: c.verdict.frame}
	return c
}
