package rank

import (
	"regexp"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// lostPeer matches what a process says whose peer went away in the middle: errno ECONNRESET is 104, EPIPE 32 (bminor/glibc
// sysdeps/gnu/errlist.h@glibc-2.36).
var lostPeer = regexp.MustCompile(`(?i)(?:socket|connection|network|peer|pipe|broken|recv|send)\b.*(?:reset|closed|refused|lost|broken|` +
	`error|fail)|(?:reset|closed|refused|lost) .*(?:connection|peer|socket)`)

// peerMissed is how long after the crash of an executor another may take to miss it.
const peerMissed = 5 * time.Minute

// crashedFirst: where the JVM of one executor crashed in native code, the others lose their connection to it, and it is their exception that
// the job is given up for.
func crashedFirst(_ *mechanism.View, all []Answer) []Answer {
	for i := range all {
		crash := &all[i]
		f, _ := crash.Detail.(logs.Failure)
		if _, is := f.Meaning.(logs.JVMCrashed); !is || crash.Trust != cause.ByExecutorLog || crash.At.IsZero() {
			continue
		}
		for k := range all {
			if missed := &all[k]; k != i && missesPeer(missed, crash.At) {
				missed.Effect = true
				crash.say(Clause{Cause: missed.Cause, Form: Followed})
				crash.Evidence = slices.Concat(crash.Evidence, missed.Evidence)
			}
		}
	}
	return all
}

// missesPeer reports whether a log tells of a connection that broke soon after a time.
func missesPeer(a *Answer, crash time.Time) bool {
	f, is := a.Detail.(logs.Failure)
	after := a.At.Sub(crash)
	return is && Logged(&a.Cause) && !a.At.IsZero() && after >= 0 && after <= peerMissed &&
		lostPeer.MatchString(f.Root.Class+": "+f.Root.Message)
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
