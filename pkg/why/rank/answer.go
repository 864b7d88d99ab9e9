// Package rank relates the causes that mechanisms found independently of each other, and puts the one that answers first. What explains
// what is a table (relations); what comes before what is one comparison of named criteria (order). Nothing here edits a cause or makes a
// sentence: an Answer collects causes, and package words says it.
package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Answer is what is said of one cause together with what explains or completes it. Its own fields are those of the whole: the class that
// the relations lead to, the least certain of what it rests on, all evidence.
type Answer struct {
	cause.Cause

	Clauses []Clause      // what is said, in order; at least one
	Advice  []cause.Cause // whose advice is given, in order
	Doubts  []cause.Doubt // rivals that were not ruled out, for which it is likely and not proven
	// Told says that the verdict says it, too: it is among its clauses.
	Told bool
}

// Clause is a cause within an answer.
type Clause struct {
	Cause cause.Cause // as its mechanism returned it
	Joint Joint
	Form  Form
}

// Joint is how a clause is joined to what was said before it.
type Joint int

// The joints.
const (
	Also    Joint = iota // "; "
	Because              // ": "
	InPlace              // of what its predecessor leaves open
	With                 // "; ", and said in brief, too
)

// Form is which part of a cause is said.
type Form int

// The forms.
const (
	Whole     Form = iota
	Raised         // what was raised, without what it means
	Lead           // what it means, without what was raised
	Followed       // what came of it: the exception alone
	Attempts       // how often a task was tried
	Symptom        // of what explains it: the exception alone
	Loss           // how executors ended, without what that means
	AfterLoss      // what came of that
)

// alone is the answer of a cause by itself.
func alone(c cause.Cause) Answer {
	return Answer{Cause: c, Clauses: []Clause{{Cause: c}}, Advice: []cause.Cause{c}}
}

// add joins a clause, with its evidence and what it is about.
func (a *Answer) add(joint Joint, c cause.Cause) {
	a.say(Clause{Cause: c, Joint: joint})
	a.Evidence = slices.Concat(a.Evidence, c.Evidence)
}

// say joins a clause without its evidence.
func (a *Answer) say(c Clause) {
	a.Clauses = append(slices.Clone(a.Clauses), c)
	a.about(&c.Cause)
}

// head puts a cause before all that was said, which it explains.
func (a *Answer) head(c cause.Cause) {
	rest := slices.Clone(a.Clauses)
	rest[0].Joint = Because
	a.Clauses = append([]Clause{{Cause: c}}, rest...)
	a.about(&c)
}

// lead puts first how far the work is, and what runs behind it.
func (a *Answer) lead(c cause.Cause, joint Joint) {
	a.head(c)
	a.Clauses[1].Joint = joint
	a.Evidence = slices.Concat(c.Evidence, a.Evidence)
}

// about takes over whose failure a clause is and what it is about.
func (a *Answer) about(c *cause.Cause) {
	a.Topics |= c.Topics
	if c.Role == cause.ExecutorRole {
		a.Role = c.Role
	}
}

// advise gives the advice of a cause after all other.
func (a *Answer) advise(c ...cause.Cause) { a.Advice = slices.Concat(a.Advice, c) }

// adviseFirst gives it before all other.
func (a *Answer) adviseFirst(c ...cause.Cause) { a.Advice = slices.Concat(c, a.Advice) }

// Stands reports whether a cause can be the verdict.
func Stands(c *cause.Cause) bool { return !c.Effect && c.Class != cause.Unknown }

// faulty reports whether a cause is a fault that can be the verdict.
func faulty(c *cause.Cause) bool { return Stands(c) && c.Class.Fault() }

// Logged reports whether a log tells a cause.
func Logged(c *cause.Cause) bool {
	return c.Trust == cause.ByDriverLog || c.Trust == cause.ByExecutorLog
}

// ByLog reports whether a log tells of an answer, alone or with objects.
func ByLog(a *Answer) bool {
	return Logged(&a.Cause) || slices.ContainsFunc(a.Clauses, func(c Clause) bool { return Logged(&c.Cause) })
}
