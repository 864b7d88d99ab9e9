package rank

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// CannotTell is that no cause stands.
type CannotTell struct{}

// Mechanism names it.
func (CannotTell) Mechanism() cause.ID { return "cannot-tell" }

// NothingSays is that nothing at all was found.
type NothingSays struct {
	Pending string // state that waits for the operator, and no driver pod is there; empty: it does not
}

// Mechanism names it.
func (NothingSays) Mechanism() cause.ID { return "nothing-says" }

// Missing is what was not seen and could tell.
type Missing struct {
	Gaps []mechanism.Gap
}

// Mechanism names it.
func (Missing) Mechanism() cause.ID { return "missing" }

// NextTime is advice: how to see next time what was not seen.
type NextTime struct {
	Gap mechanism.Gap
}

// Mechanism names it.
func (NextTime) Mechanism() cause.ID { return "next-time" }

// AskAgain is advice where there is no other.
type AskAgain struct {
	Kept bool // Spark was told to leave the pods of executors that ended
}

// Mechanism names it.
func (AskAgain) Mechanism() cause.ID { return "ask-again" }

// unexplained puts first what is known, and what is missing for a verdict.
func unexplained(v *mechanism.View, all []Answer) []Answer {
	a := alone(cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Subject: v.AppRef(), At: v.Ended.UTC(), Detail: CannotTell{}})
	a.Advice = nil
	if len(all) == 0 {
		nothing := NothingSays{}
		if v.Driver == nil && strings.HasPrefix(v.State, "PENDING") {
			nothing.Pending = v.State
		}
		c := cause.Cause{Subject: v.AppRef(), Detail: nothing}
		a.say(Clause{Cause: c, Joint: Because})
		a.Advice = []cause.Cause{c}
	}
	beside := false
	for i := range all {
		b := &all[i]
		switch {
		case i == 0:
			a.join(Because, b)
			b.Told = true
		case !beside && !Stands(&b.Cause) && Logged(&b.Cause):
			a.join(Also, b)
			b.Told, beside = true, true
		default:
			a.Evidence = append(a.Evidence, b.Evidence...)
		}
		if i < 2 {
			a.advise(b.Advice...)
		}
	}
	if file, is := mechanism.FileOfLog(v); is {
		a.add(With, file)
		a.adviseFirst(file)
	}
	gaps := v.Gaps()
	if len(gaps) > 0 && !a.Topics.Has(cause.Gone) {
		a.say(Clause{Cause: cause.Cause{Detail: Missing{Gaps: gaps}, Role: roleOf(gaps)}})
	}
	for _, g := range gaps {
		a.advise(cause.Cause{Detail: NextTime{Gap: g}})
	}
	a.advise(cause.Cause{Detail: AskAgain{Kept: v.KeepsExecutors()}})
	if len(all) > 0 && all[0].Class == cause.Unknown {
		all = all[1:] // the verdict says it
	}
	return append([]Answer{a}, all...)
}

// roleOf is whose pods are missing.
func roleOf(gaps []mechanism.Gap) cause.Role {
	for _, g := range gaps {
		if g.Kind == mechanism.FailedExecutors || g.Kind == mechanism.LostExecutors {
			return cause.ExecutorRole
		}
	}
	return cause.DriverRole
}
