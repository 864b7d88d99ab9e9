package logs

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// warnsItself reports whether the application warned, by a logger that is certainly its own: the name of a class alone, as Spark's layout
// prints it, may be that of a library.
func (s *story) warnsItself(e *entry) bool {
	named := e.header.python || domain.MatchString(e.logger) || ownName.MatchString(e.logger)
	return e.level == warn && named && s.ofApplication(e)
}

// ownName matches the name of a logger that is no class: "jobs.runner".
var ownName = lazyregexp.New(`^[a-z]\w*(?:\.[a-z]\w*)+$`)

// lastWarned are the last warnings of an application, those of the same logger right before among them.
func (s *story) lastWarned(at int) candidate {
	e := &s.entries[at]
	c := candidate{at: at, end: -1, verdict: verdict{meaning: LastWords{Line: e.message}, strength: EffectOnly, class: cause.Unknown,
		root: &link{message: e.message, text: e.first}}}
	for i := at - 1; i >= 0 && at-i < maxProofs/2 && s.entries[i].level == warn && s.entries[i].logger == e.logger; i-- {
		c.before = append(c.before, i)
	}
	return c
}
