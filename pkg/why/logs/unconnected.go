package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unconnected is a connection that a library did not make, in time or as its host has no address, and of which the failure that came of it
// tells nothing: what a client of a shuffle service hands on is that no worker took the shuffle.
type Unconnected struct {
	Connection

	Said cause.Proof // that it was not made
}

// unconnectedBefore is the last connection before a failure that the library which raised it did not make; nil: its log tells of none. The
// library is told by the beginning of its packages, "org.apache.celeborn": what Spark or Java raise may be about anything.
func (s *story) unconnectedBefore(c *candidate, root string, in place) *Unconnected {
	library, is := libraryOf(root)
	for at := min(c.at, len(s.entries)-1); is && at >= 0; at-- {
		if s.timeOf(c.at).Sub(s.timeOf(at)) > lately {
			break
		}
		if s.entries[at].level.belowWarn() {
			continue
		}
		if out := s.unconnectedAt(at, library, in); out != nil {
			return out
		}
	}
	return nil
}

// unconnectedAt is a connection of which the exceptions of an entry tell, one of them by the library.
func (s *story) unconnectedAt(at int, library string, in place) *Unconnected {
	links := s.chain(at)
	ofLibrary := slices.ContainsFunc(links, func(l link) bool { return strings.HasPrefix(l.class, library+".") })
	for _, l := range links {
		said := l.class + ": " + l.message
		f := Failure{Finding: Finding{Root: l.throwable()}}
		to := Connection{TimedOut: unconnected.MatchString(said)}
		switch {
		case !ofLibrary:
			return nil
		case strings.HasSuffix(l.class, unknownHost):
			if to.Unresolved, to.Name = true, f.unresolvedName(); to.Name == "" {
				continue
			}
		case to.TimedOut && strings.HasPrefix(l.class, library+"."):
			if to.Host, to.Port = f.target(); to.Port == 0 {
				continue
			}
		default:
			continue
		}
		return &Unconnected{Connection: to, Said: cause.Proof{Object: in.subject, Field: in.field, At: s.timeOf(at),
			Value: Shortened(strings.Join(strings.Fields(said), " "), maxQuote)}}
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
