package why

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Open makes the case file of an application from what is known of it.
func Open(e *app.Evidence) CaseFile {
	v := mechanism.Look(e)
	byObjects := withLeftPod(v, mechanism.Causes(e))
	byLogs, byOwn := apart(logCauses(v, byObjects))
	behindPolicies(v, byLogs)
	behindReadiness(v, byLogs)
	behindCrash(v, byLogs)
	behindWebhook(v, byLogs)
	byLogs = withInitLogs(byObjects, byLogs)
	byLogs = behindExit52(byObjects, byLogs)
	blamed(byObjects, byLogs)
	f := CaseFile{AsOf: e.Now, Subject: e.Subject, State: stateOf(v)}
	f.Unseen = unseen(v)
	log := read(v)
	byObjects = append(byObjects, log.waitedInVain(v, byLogs)...)
	f.Causes = rank(v, log, byObjects, append(byLogs, byOwn...))
	log.works(v, f.Verdict())
	actedAs(v, f.Verdict())
	inMesh(v, f.Verdict())
	behindLastRun(v, f.Verdict())
	inContext(v, log, f.Causes)
	notes := bySpec(v, f.Verdict())
	onceEach(f.Causes)
	inTerms(v, f.Causes)
	f.Timeline = timeline(v)
	f.Executors = executors(v)
	f.Attempts = attempts(v, f.Verdict())
	f.RuledOut = ruledOut(v, log, f.Causes)
	f.Also = slices.Concat(notes, also(v, &f), log.zone())
	return f
}

// rank merges what objects and logs tell and puts the verdict first.
func rank(v *mechanism.View, log driverLog, byObjects, byLogs []cause.Cause) []cause.Cause {
	byObjects = append(byObjects, log.causes(v)...)
	good := outcome(v, log, byObjects, byLogs)
	all := append(slices.Clone(byObjects), byLogs...)
	for i := range all {
		all[i].Effect = all[i].Effect || subordinate(v, &all[i], good) ||
			all[i].Class == cause.RunningNormally && (log.starves(v) || log.silent(v) || log.repeats(v)) ||
			(all[i].Class == cause.RunningNormally || all[i].Class == cause.SlowButProgressing) && v.Relapsing() && !log.progresses(v)
	}
	for i := range all {
		if all[i].Class == cause.RunningNormally && log.late(v) {
			log.behindTrigger(v, &all[i])
		}
	}
	slices.SortStableFunc(all, func(a, b cause.Cause) int { return cmp.Compare(order(v, &a, good), order(v, &b, good)) })
	all = merged(all)
	if len(all) == 0 || !stands(&all[0]) {
		said := unknown(v, all)
		if len(all) > 0 && all[0].Class == cause.Unknown {
			all = all[1:] // the verdict says it
		}
		all = append([]cause.Cause{said}, all...)
	}
	saidLast(v, all)
	if all[0].Class == cause.RunningNormally && !log.seen && !v.IsConnect() {
		all[0].Certainty = check.Likely // what the driver does is not seen
	}
	if all[0].Class == cause.RunningNormally && v.Running() > 0 && len(v.Executors) == 0 && !v.IsConnect() {
		all[0].Certainty = check.Likely // more may be asked for than the status counts
	}
	if second(all) {
		all[0].Certainty = check.Likely
	}
	return all
}

// saidLast adds the last words of the log to a verdict that rests on an exit code alone.
func saidLast(v *mechanism.View, all []cause.Cause) {
	if all[0].Trust != cause.BySpec || !v.ExitedByItself() || all[0].Subject.Name != v.DriverName {
		return
	}
	for i := range all[1:] {
		if c := &all[1+i]; c.Trust == cause.ByDriverLog && c.Effect && c.Subject.Name == v.DriverName && len(c.Evidence) > 0 {
			all[0].Message += "; " + c.Message
			all[0].Evidence = append(all[0].Evidence, c.Evidence...)
			return
		}
	}
}

// stands reports whether a cause can be the verdict.
func stands(c *cause.Cause) bool { return !c.Effect && c.Class != cause.Unknown }

// outcome is a cause of no fault that holds whatever logs say: a driver that exited with 0 did its work, and one that runs with all its
// executors has survived what its log complains of, as long as the log itself does not name a fault that keeps it from going on.
func outcome(v *mechanism.View, log driverLog, byObjects, byLogs []cause.Cause) *cause.Cause {
	if slices.ContainsFunc(byObjects, func(c cause.Cause) bool { return faulty(c) && c.Subject.Kind == "ScheduledSparkApplication" }) {
		return nil // that its last run went well does not mean that the schedule starts another
	}
	for i := range byObjects {
		c := &byObjects[i]
		switch c.Class {
		case cause.Succeeded, cause.Suspended, cause.ObserverMissed:
			if stands(c) && c.Certainty == check.Proven {
				return c
			}
		case cause.RunningNormally, cause.SlowButProgressing:
			if (log.starves(v) || log.silent(v) || log.Worn) && !v.Serves() {
				continue // that pods run does not mean that the job gets on
			}
			if v.Serves() && stands(c) && c.Class == cause.RunningNormally && !slices.ContainsFunc(byObjects, faulty) {
				return c // what clients asked of it and failed is no fault of the server
			}
			blocked := slices.ContainsFunc(byLogs, func(l cause.Cause) bool { return stands(&l) && l.Certainty == check.Proven && l.Class.Fault() })
			failed := slices.ContainsFunc(byObjects, faulty)
			if stands(c) && !failed && (c.Certainty == check.Proven || log.progresses(v)) && (!blocked || log.progresses(v)) {
				return c
			}
		}
	}
	return nil
}

func faulty(c cause.Cause) bool { return stands(&c) && c.Class.Fault() }

// subordinate reports whether a cause cannot be the verdict beside the outcome.
func subordinate(v *mechanism.View, c, good *cause.Cause) bool {
	switch {
	case good != nil && c.Class.Fault() && c.Class != good.Class:
		return true
	case good == nil && c.Class == cause.RunningNormally && v.Failing():
		return true
	default:
		return false
	}
}

// order is the rank of a cause: the lower, the earlier.
func order(v *mechanism.View, c, good *cause.Cause) int {
	rank := 10 * int(c.Trust)
	switch {
	case good != nil && c.Class == good.Class && !c.Effect:
		return -1000
	case c.Effect || c.Class == cause.Unknown:
		rank += 10000
	case !c.Class.Fault():
		rank += 5000
	case c.SignatureFile != "":
		return rankOfOwn
	}
	if logged(c) && c.Certainty == check.Proven && v.ExitedByItself() && !c.Effect {
		// The driver ended by its own code: its log says why. What befell executors meanwhile counts where the log blames that.
		rank -= 500
	}
	if c.Certainty == check.Likely {
		rank += 100
		if v.ExitedByItself() && !logged(c) && strings.Contains(c.Subject.Name, "-exec-") {
			rank += 100 // that a few executors were lost ends no job by itself: what the log says, even if it is not sure, comes first
		}
	}
	return rank
}

// rankOfOwn is that of a cause that a team's own signature tells: after all that built-in signatures tell, before what the spec or an exit
// code alone says.
const rankOfOwn = 10*int(cause.ByExecutorLog) + 105

// apart divides what logs tell: causes of a team's own signatures explain no others, as their words can be any.
func apart(byLogs []cause.Cause) (builtIn, own []cause.Cause) {
	for _, c := range byLogs {
		if c.SignatureFile == "" {
			builtIn = append(builtIn, c)
		} else {
			own = append(own, c)
		}
	}
	return builtIn, own
}

func logged(c *cause.Cause) bool {
	return c.Trust == cause.ByDriverLog || c.Trust == cause.ByExecutorLog
}

// second reports whether two plausible causes of different classes stand, neither of them proven.
func second(all []cause.Cause) bool {
	return len(all) > 1 && stands(&all[0]) && stands(&all[1]) && all[0].Class.Fault() && all[1].Class.Fault() &&
		all[0].Certainty == check.Likely && all[1].Certainty == check.Likely
}

// unknown says what is known, and what is missing for a verdict.
func unknown(v *mechanism.View, all []cause.Cause) cause.Cause {
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Subject: v.AppRef(), At: v.Ended.UTC()}
	what := "nothing that was seen says what became of it"
	if v.Driver == nil && strings.HasPrefix(v.State, "PENDING") {
		what = "it is in " + v.State + " and no driver pod is there: nothing that was seen says why the operator does not go on"
	}
	for i := range all {
		c.Evidence = append(c.Evidence, all[i].Evidence...)
		if i == 0 {
			what = all[i].Message
		}
		if i > 0 && !stands(&all[i]) && logged(&all[i]) && len(what) < len(all[0].Message)+1 {
			what += "; " + all[i].Message
		}
		if i < 2 {
			c.Next = append(c.Next, all[i].Next...)
		}
	}
	c.Message = "cannot tell why: " + what
	if missing := lacking(v); missing != "" && !strings.Contains(what, " gone") {
		c.Message += "; missing: " + missing
	}
	for _, u := range unseen(v) {
		if u.NextTime != "" && len(c.Next) < 3 {
			c.Next = append(c.Next, command.Do("next time: %s", u.NextTime))
		}
	}
	if len(c.Next) == 0 {
		c.Next = []command.Command{command.Do("run it again, and ask while its pods are there (%s)", v.KeepExecutors())}
	}
	return c
}

func stateOf(v *mechanism.View) State {
	s := State{Word: v.State, Attempt: v.Attempts, Since: v.Ended}
	if v.Application == nil && v.Schedule == nil && v.Driver == nil && len(v.Executors) == 0 {
		s.Word = "GONE"
		if v.Partial != nil && v.Partial("sparkapplications") {
			s.Word = "NOT_SEEN" // its object may only be missing from the input
		}
	}
	if s.Word == "" && v.Driver != nil && v.Application == nil {
		s.Word = string(v.Driver.Status.Phase)
	}
	begin, end := v.Submitted, v.DriverEnd()
	if v.Driver != nil {
		begin = v.Driver.CreationTimestamp.UTC()
		if c := mechanism.Container(v.Driver); c != nil && c.State.Running != nil {
			begin, end = c.State.Running.StartedAt.UTC(), v.Now
		}
		if t := mechanism.Termination(v.Driver); t != nil && t.StartedAt.Unix() > 0 {
			begin = t.StartedAt.UTC()
		}
	}
	if !v.Since.IsZero() {
		s.Since = v.Since.UTC()
	}
	if s.Since.IsZero() {
		s.Since = begin
	}
	if !begin.IsZero() && end.After(begin) {
		s.Ran = end.Sub(begin).Round(time.Second)
	}
	if retries, limited := v.Retries(); limited {
		s.MaxAttempts = retries + 1
	}
	return s
}
