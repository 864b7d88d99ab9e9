package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
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
		byPods := evictedAlike(&a, keep) || killedMore(&a, keep) // which tell the limit, where the log has no more than the word
		if byPods {
			told = true
			*keep, a = a, *keep
		}
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
		if !byPods { // what makes one doubt the pods of a run makes one doubt its log
			keep.doubted(&a)
		}
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

// sameStory reports whether two answers tell of the same kills for memory, or of the same evictions: one sentence and one advice is enough.
func sameStory(a, b *Answer) bool {
	if evictedAlike(a, b) {
		return true
	}
	return a.Topics.Has(cause.OOMKilled) && b.Topics.Has(cause.OOMKilled|cause.Killed)
}

// evictedAlike reports whether a log tells of executors whose pods say that the kubelet evicted them. What the driver was told may be no
// more than the exit code, which is that of a kill for memory.
func evictedAlike(pods, log *Answer) bool {
	if _, evicted := pods.Detail.(mechanism.Eviction); !evicted || pods.Role != cause.ExecutorRole || !Logged(&log.Cause) {
		return false
	}
	if len(log.Executors) == 0 {
		return log.Signature == "executor-evicted"
	}
	return !slices.ContainsFunc(log.Executors, func(id string) bool { return !slices.Contains(pods.Executors, id) })
}

// killedMore reports whether pods tell of all the kills for memory that a log tells, and of more: what was read of the log began later.
func killedMore(pods, log *Answer) bool {
	if !pods.Topics.Has(cause.OOMKilled) || Logged(&pods.Cause) || !Logged(&log.Cause) || len(pods.Executors) <= len(log.Executors) {
		return false
	}
	return log.Topics.Has(cause.OOMKilled|cause.Killed) && len(log.Executors) > 0 &&
		!slices.ContainsFunc(log.Executors, func(id string) bool { return !slices.Contains(pods.Executors, id) })
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
