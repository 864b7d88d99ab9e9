package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Missed is a path at which a program found nothing, said so, and went on without it.
type Missed struct {
	Path string
	Said cause.Proof
}

// mostMissed is how many of them are kept: the last ones before a failure.
const mostMissed = 32

// missedBefore are the paths that a log complains of before a failure, the last one first. A program may say so at any level, and take what
// it has by default instead: whether that led to the failure is not in the log.
func (s *story) missedBefore(c *candidate, in place) (out []Missed) {
	for at := min(c.at, len(s.entries)) - 1; at >= 0 && len(out) < mostMissed; at-- {
		if s.timeOf(c.at).Sub(s.timeOf(at)) > lately {
			break
		}
		e := &s.entries[at]
		if !strings.Contains(e.message, "/") || !absentFile.MatchString(e.message) {
			continue
		}
		said := cause.Proof{Object: in.subject, Field: in.field, At: s.timeOf(at),
			Value: Shortened(strings.Join(strings.Fields(e.message), " "), maxQuote)}
		for _, path := range aPath.FindAllString(e.message, -1) {
			if !slices.ContainsFunc(out, func(m Missed) bool { return m.Path == path }) {
				out = append(out, Missed{path, said})
			}
		}
	}
	return out
}
