package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Rank puts the answer first. There is at least one, of class unknown if no cause stands.
func Rank(v *mechanism.View, all []Answer) []Answer {
	s := &standing{v: v, good: outcome(v, all), restarted: restarted(v, all)}
	for i := range all {
		a := &all[i]
		a.Effect = a.Effect || s.subordinate(a) || notGettingOn(v, a)
	}
	settle(v, all)
	late, falls := mechanism.LateBatch(v)
	for i := range all {
		if a := &all[i]; falls && a.Class == cause.RunningNormally {
			a.add(Also, late)
			a.advise(late)
		}
	}
	s.sort(all)
	all = merged(all)
	if len(all) == 0 || !Stands(&all[0].Cause) {
		all = unexplained(v, all)
	}
	lastWords(v, all)
	if caps(v, all) {
		all[0].Certainty = check.Likely
	}
	return all
}

// outcome is a cause of no fault that holds whatever logs say: a driver that exited with 0 did its work, and one that runs with all its
// executors has survived what its log complains of, as long as the log itself does not name a fault that keeps it from going on.
func outcome(v *mechanism.View, all []Answer) *cause.Cause {
	any := func(logged bool, is func(c *cause.Cause) bool) bool {
		return slices.ContainsFunc(all, func(a Answer) bool { return Logged(&a.Cause) == logged && is(&a.Cause) })
	}
	if any(false, func(c *cause.Cause) bool { return faulty(c) && c.Subject.Kind == "ScheduledSparkApplication" }) {
		return nil // that its last run went well does not mean that the schedule starts another
	}
	run := standsRun{v: v, failed: any(false, faulty), restarted: restarted(v, all),
		blocked: any(true, func(c *cause.Cause) bool { return faulty(c) && c.Certainty == check.Proven })}
	for i := range all {
		if c := all[i].Cause; !Logged(&c) && Stands(&c) && run.holds(&c) {
			return &c
		}
	}
	return nil
}

// restarted reports whether the log of a server tells why it ended before it restarted.
func restarted(v *mechanism.View, all []Answer) bool {
	return slices.ContainsFunc(all, func(a Answer) bool { return Logged(&a.Cause) && faulty(&a.Cause) && v.BeforeRestart(&a.Cause) })
}

// standsRun is what says whether a good outcome holds.
type standsRun struct {
	v         *mechanism.View
	failed    bool // an object tells a fault
	blocked   bool // a log proves one
	restarted bool // before that, a server ended for what its log tells
}

// holds reports whether a cause of no fault holds whatever logs say.
func (r standsRun) holds(c *cause.Cause) bool {
	switch c.Class {
	case cause.Succeeded, cause.Suspended, cause.ObserverMissed:
		return c.Certainty == check.Proven
	case cause.RunningNormally, cause.SlowButProgressing:
		if r.v.Serves() {
			// What clients asked of a server and failed is no fault of it.
			serves := c.Class == cause.RunningNormally || r.goesOn(c)
			return serves && !r.failed && !r.restarted
		}
		// That pods run does not mean that the job gets on.
		return !r.v.Starves() && !r.v.Silent() && !r.v.Work.Worn && !r.failed && r.goesOn(c)
	default:
		return false
	}
}

// goesOn reports whether tasks finish, or nothing is known that stops them.
func (r standsRun) goesOn(c *cause.Cause) bool {
	unstopped := c.Certainty == check.Proven && !r.blocked
	return unstopped || r.v.Progresses()
}

// subordinate reports whether an answer cannot be the verdict beside the outcome.
func (s *standing) subordinate(a *Answer) bool {
	if s.good != nil {
		return a.Class.Fault() && a.Class != s.good.Class
	}
	if s.v.Serves() && Logged(&a.Cause) && s.restarted && !s.v.BeforeRestart(&a.Cause) {
		return a.Class.Fault()
	}
	return a.Class == cause.RunningNormally && s.v.Failing()
}

// notGettingOn reports whether pods run and the job does not get on, by the driver's log or by executors that fail one after the other.
func notGettingOn(v *mechanism.View, a *Answer) bool {
	switch a.Class {
	case cause.RunningNormally:
		return v.Starves() || v.Silent() || v.Repeats() || relapses(v)
	case cause.SlowButProgressing:
		_, works := a.Detail.(mechanism.Straggler) // its executor says so
		return relapses(v) && !works
	default:
		return false
	}
}

// relapses reports whether executors fail one after the other, and no task finishes between.
func relapses(v *mechanism.View) bool { return v.Relapsing() && !v.Progresses() }

// lastWords adds the last words of the log to a verdict that rests on an exit code alone.
func lastWords(v *mechanism.View, all []Answer) {
	if all[0].Trust != cause.BySpec || !v.ExitedByItself() || all[0].Subject.Name != v.DriverName {
		return
	}
	for i := range all[1:] {
		a := &all[1+i]
		if a.Trust == cause.ByDriverLog && a.Effect && a.Subject.Name == v.DriverName && len(a.Evidence) > 0 {
			all[0].join(Also, a)
			a.Told = true
			return
		}
	}
}

// caps reports whether the verdict is likely at most: what would show the opposite was not seen, or another answer is as likely.
func caps(v *mechanism.View, all []Answer) bool {
	if a := &all[0]; a.Class == cause.RunningNormally && !v.IsConnect() {
		unread := !v.Work.Seen                                // what the driver does is not seen
		uncounted := v.Running() > 0 && len(v.Executors) == 0 // more may be asked for than the status counts
		return unread || uncounted
	}
	return len(all) > 1 && faulty(&all[0].Cause) && faulty(&all[1].Cause) &&
		all[0].Certainty == check.Likely && all[1].Certainty == check.Likely
}
