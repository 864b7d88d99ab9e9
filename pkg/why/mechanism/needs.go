package mechanism

import (
	"cmp"
	"maps"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Needs is what a mechanism needs to be proven: who ended or blocks it said so, and each of its rivals is ruled out by something that was
// seen. An entry has at least one of the three.
type Needs struct {
	Rivals []Rival
	// Because says why there are no rivals, or no others: who wrote it, or what the mechanism asks before it returns a cause.
	Because string
	// Explains says that it is why a failure in a log came about, which is said after it: that one's rivals are its own, too.
	Explains bool
	// Guess says why it is likely at most; empty: it can be proven.
	Guess string
}

// Rival is something else that could look like a mechanism, and what tells whether it was that.
type Rival struct {
	cause.Rival
	Stands func(v *View, c *cause.Cause) cause.Standing
	// Both says why the mechanism may be proven beside it; empty: it may not.
	Both string
}

// AllNeeds is what each mechanism needs, by its ID. Signatures, and kinds of exceptions, have one entry for all: ofSignature.
func AllNeeds() map[cause.ID]Needs {
	out := map[cause.ID]Needs{}
	for _, part := range []map[cause.ID]Needs{
		needsOfEnds(), needsOfPending(), needsOfOperator(), needsOfRunning(), needsOfServer(), needsOfLogs(),
	} {
		maps.Copy(out, part)
	}
	return out
}

// NeedsOf is what a cause needs; false: its mechanism has no entry, and it proves nothing.
func NeedsOf(all map[cause.ID]Needs, c *cause.Cause) (Needs, bool) {
	if c.Detail == nil {
		return Needs{}, false
	}
	if failed, is := c.Detail.(logs.Failure); is {
		switch failed.Meaning.(type) {
		case logs.Known, logs.OfKind:
			return ofSignature(failed), true
		}
	}
	n, has := all[c.Detail.Mechanism()]
	return n, has
}

// Doubts are the rivals of a cause that were not ruled out, in the order of the table.
func Doubts(v *View, all map[cause.ID]Needs, c *cause.Cause) []cause.Doubt {
	n, has := NeedsOf(all, c)
	if !has || n.Guess != "" {
		return []cause.Doubt{{Rival: cause.Rival{ID: "untold", Is: cmp.Or(n.Guess, "what else it could be is not known")}}}
	}
	var out []cause.Doubt
	for _, r := range n.Rivals {
		s := r.Stands(v, c)
		bothHold := s == cause.Present && r.Both != ""
		if s != cause.RuledOut && !bothHold {
			out = append(out, cause.Doubt{Rival: r.Rival, Standing: s})
		}
	}
	return out
}

// ifSeen is the standing of a rival that shows where it is looked at.
func ifSeen(present bool) cause.Standing {
	if present {
		return cause.Present
	}
	return cause.RuledOut
}
