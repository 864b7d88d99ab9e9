package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// merged joins answers that tell the same fact: of one class, one from objects and one from a log, or of the same signature. The first one
// leads.
func merged(all []Answer) []Answer {
	var out []Answer
	for _, a := range all {
		at := slices.IndexFunc(out, func(o Answer) bool { return same(&o, &a) })
		if at < 0 {
			out = append(out, a)
			continue
		}
		keep := &out[at]
		told := sameStory(keep, &a)
		if !told {
			keep.advise(a.Advice...)
		}
		if Logged(&keep.Cause) == Logged(&a.Cause) {
			if keep.Certainty == a.Certainty { // of two logs that tell the same, the first says it
				keep.about(&a.Cause)
			}
			keep.Evidence = slices.Concat(keep.Evidence, a.Evidence)
		} else if told {
			keep.say(Clause{Cause: a.Clauses[0].Cause, Form: Attempts})
			keep.Evidence = slices.Concat(keep.Evidence, a.Evidence)
		} else {
			keep.join(Also, &a)
		}
		keep.doubted(&a)
		earlier := !a.At.IsZero() && a.At.Before(keep.At)
		if earlier || keep.At.IsZero() {
			keep.At = a.At
		}
	}
	return out
}

func same(a, b *Answer) bool {
	if a.Class != b.Class || a.Class == cause.Unknown || a.Effect != b.Effect || a.SignatureFile != b.SignatureFile {
		return false
	}
	oneFromALog := Logged(&a.Cause) != Logged(&b.Cause)
	sameSignature := a.Signature != "" && a.Signature == b.Signature
	return oneFromALog || sameSignature
}

// sameStory reports whether two answers tell of the same kills for memory: one sentence and one advice is enough.
func sameStory(a, b *Answer) bool {
	return a.Topics.Has(cause.OOMKilled) && b.Topics.Has(cause.OOMKilled|cause.Killed)
}

// join takes over all that another answer says, and its evidence.
func (a *Answer) join(joint Joint, b *Answer) {
	for i, c := range b.Clauses {
		if i == 0 {
			c.Joint = joint
		}
		a.say(c)
	}
	a.Topics |= b.Topics
	if b.Role == cause.ExecutorRole {
		a.Role = b.Role
	}
	a.Evidence = slices.Concat(a.Evidence, b.Evidence)
}
