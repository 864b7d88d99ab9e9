package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unconnected is a connection that a library did not make in time, and of which the failure that came of it tells nothing: what a client of
// a shuffle service hands on is that no worker took the shuffle.
type Unconnected struct {
	Connection

	Said cause.Proof // that it was not made
}

// unconnectedBefore is the last connection before a failure that the library which raised it did not make in time; nil: its log tells of
// none. The library is told by the beginning of its packages, "org.apache.celeborn": what Spark or Java raise may be about anything.
func (s *story) unconnectedBefore(c *candidate, root string, in place) *Unconnected {
	library, is := libraryOf(root)
	for at := min(c.at, len(s.entries)-1); is && at >= 0; at-- {
		if s.timeOf(c.at).Sub(s.timeOf(at)) > lately {
			break
		}
		if s.entries[at].level.belowWarn() {
			continue
		}
		for _, l := range s.chain(at) {
			of, said := strings.HasPrefix(l.class, library+"."), l.class+": "+l.message
			if !of || !unconnected.MatchString(said) {
				continue
			}
			f := Failure{Finding: Finding{Root: l.throwable()}}
			to := Connection{TimedOut: true}
			if to.Host, to.Port = f.target(); to.Port == 0 {
				continue
			}
			return &Unconnected{Connection: to, Said: cause.Proof{Object: in.subject, Field: in.field, At: s.timeOf(at),
				Value: Shortened(strings.Join(strings.Fields(said), " "), maxQuote)}}
		}
	}
	return nil
}

// libraryOf is the beginning of the packages of the library that an exception is of: the domain and the project.
func libraryOf(class string) (string, bool) {
	parts := strings.Split(class, ".")
	const domain = 3
	if len(parts) <= domain || hasPrefix(class, "org.apache.spark.", "org.apache.hadoop.", "java.", "javax.", "scala.") {
		return "", false
	}
	return strings.Join(parts[:domain], "."), true
}
