package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// crashedFirst: where the JVM of one executor crashed in native code, the others lose their connection to it, and it is their exception
// that the job is given up for.
func crashedFirst(_ *mechanism.View, all []Answer) []Answer {
	for i := range all {
		crash := &all[i]
		if !mechanism.ExecutorCrashed(&crash.Cause) {
			continue
		}
		for k := range all {
			if missed := &all[k]; k != i && Logged(&missed.Cause) && mechanism.MissesPeer(&missed.Cause, crash.At) {
				missed.Effect = true
				crash.say(Clause{Cause: missed.Cause, Form: Followed})
				crash.Evidence = slices.Concat(crash.Evidence, missed.Evidence)
			}
		}
	}
	return all
}

// quotaKeepsSlots puts the quota before the barrier stage: without its executors the slots cannot come.
func quotaKeepsSlots(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		if kept, is := mechanism.KeptByQuota(v, &all[i].Cause); is {
			a := &all[i]
			a.Clauses[0].Form = Lead
			a.head(kept)
			a.Class, a.Advice, a.Signature = cause.Quota, []cause.Cause{kept}, ""
			a.Evidence = slices.Concat(kept.Evidence, a.Evidence)
		}
	}
	return all
}

// tokenUnrenewed puts the renewal that failed before the token that expired.
func tokenUnrenewed(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		lapsed, is := mechanism.Unrenewed(v, &all[i].Cause)
		if !is {
			continue
		}
		a := &all[i]
		a.Advice = []cause.Cause{lapsed}
		if d, _ := lapsed.Detail.(mechanism.TokenUnrenewed); d.Failed != nil {
			a.Clauses[0].Form = Lead
			a.head(lapsed)
			a.Evidence = slices.Concat(lapsed.Evidence, a.Evidence)
		}
	}
	return all
}

// committerEnded says what ended the executor for whose commit Spark gave the job up, where its pod or an event tells: the driver was told
// no more than that it was deleted.
func committerEnded(_ *mechanism.View, all []Answer) []Answer {
	at := slices.IndexFunc(all, func(a Answer) bool { return Logged(&a.Cause) && Stands(&a.Cause) && a.Signature == "committer-lost" })
	if at < 0 {
		return all
	}
	ended := slices.IndexFunc(all, func(a Answer) bool {
		return !Logged(&a.Cause) && a.Class == cause.ClusterKilled &&
			slices.ContainsFunc(a.Executors, func(id string) bool { return slices.Contains(all[at].Executors, id) })
	})
	if ended < 0 {
		return all
	}
	a, role := &all[at], all[at].Role
	a.Clauses = slices.Clone(a.Clauses)
	a.Clauses[0].Form = Lead // its exception says the same, and not why
	a.join(Because, &all[ended])
	a.advise(all[ended].Advice...)
	a.Role = role // the job is the driver's
	return slices.Delete(all, ended, ended+1)
}
