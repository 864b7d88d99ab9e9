package why

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// said puts the answers into words.
func said(v *mechanism.View, answers []rank.Answer, notes []spec.Note, say func(*rank.Answer) words.Phrase) CaseFile {
	f := CaseFile{AsOf: v.Now, Subject: subjectOf(v), Namesake: v.Namesake, State: stateOf(v)}
	f.State.DriverEnded = endedBehind(v)
	for i := range answers {
		a := &answers[i]
		p, of := say(a), a.Cause
		if i == 0 {
			p, of.Evidence = verdict(v, a, p, notes)
		}
		f.Causes = append(f.Causes, Cause{Cause: of, Message: p.Says, Brief: terms(v).Brief(a), Follows: terms(v).Follows(a),
			Shows: words.Shows(a), Next: p.Do,
			Doubts: a.Doubts})
		for _, c := range change.Of(v, a) {
			f.Causes[i].Change = append(f.Causes[i].Change, Change{c, words.OfChange(&c)})
		}
	}
	for _, m := range mechanism.Timeline(v) {
		f.Timeline = append(f.Timeline, Moment{At: m.At, Text: words.OfMoment(m), Object: m.Object, Turn: turnOf(m.What)})
	}
	f.Losses = losses(v)
	f.Executors = executors(mechanism.CountExecutors(v))
	f.Attempts = attempts(v, f.Verdict())
	for _, r := range rank.RuleOut(v, answers) {
		message, because := words.OfRuledOut(r)
		f.RuledOut = append(f.RuledOut, RuledOut{Message: message, Because: because})
	}
	for _, g := range v.Gaps() {
		f.Unseen = append(f.Unseen, Unseen(words.OfGap(g)))
	}
	for _, n := range notes {
		f.Also = append(f.Also, terms(v).OfNote(&n).Says)
	}
	f.Also = append(f.Also, also(v, &f, answers)...)
	if f.Verdict().Class == cause.Unknown {
		f.Telling = telling(v, f.Verdict())
	}
	return f
}

// NotListed says which kinds a reader could not list, and where: in a namespace that was asked about, or in any.
func NotListed(list []snapshot.Unseen, namespace, reader string) []Unseen {
	out := make([]Unseen, 0, len(list))
	for _, u := range list {
		one := Unseen(words.OfGap(mechanism.GapOf(u, namespace, reader)))
		if u.Namespace != "" && u.Namespace == namespace {
			one.What += " in namespace " + u.Namespace
		}
		out = append(out, one)
	}
	return out
}

// subjectOf is the application as a user knows it: of a pod that the Apache Spark Kubernetes Operator made, the object that it is of.
func subjectOf(v *mechanism.View) snapshot.Ref {
	if v.Apache != nil {
		return v.Apache.Ref()
	}
	return v.Subject
}

// executors says why those were lost that were; nil: there are none to speak of.
func executors(n *mechanism.ExecutorCounts) *Executors {
	if n == nil {
		return nil
	}
	out := &Executors{Asked: n.Asked, Ran: n.Ran, Running: n.Running, Pending: n.Pending, Failed: n.Failed, Completed: n.Completed}
	for _, l := range n.Lost {
		out.Lost = append(out.Lost, Loss{Count: l.Count, Why: words.OfEnd(l.Why)})
	}
	slices.SortFunc(out.Lost, func(a, b Loss) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Why, b.Why)) })
	return out
}

// attempts says how each run ended, and whether as the last one did.
func attempts(v *mechanism.View, verdict *Cause) []Attempt {
	var out []Attempt
	all := mechanism.AttemptsOf(v)
	for i := range all {
		a, last := &all[i], &all[len(all)-1]
		out = append(out, Attempt{Number: a.Number, Started: a.Started, Ended: a.Ended, Outcome: words.OfAttempt(a),
			SameReason: a.As() == last.As() && verdict.Class.Fault()})
	}
	return out
}

// mostBeside is how many facts beside the verdict are told of other causes.
const mostBeside = 6

// also are facts beside the verdict.
func also(v *mechanism.View, f *CaseFile, answers []rank.Answer) []string {
	var out []string
	if run := mechanism.RunOf(v); run != nil {
		out = append(out, words.OfRun(run))
	}
	if n := v.Attempts; n > 1 {
		out = append(out, fmt.Sprintf("this is attempt %d", n))
	}
	for i := range answers[1:] {
		a := &answers[1+i]
		if rank.HowItEnded(&a.Cause) && rank.ByLog(&answers[0]) {
			continue // how the driver ended stands beside the verdict
		}
		if said := f.Causes[1+i].Message; len(out) < mostBeside && a.Class.Fault() && said != "" && !a.Told {
			out = append(out, said)
		}
	}
	if runs := mechanism.RunsOf(v); runs != nil {
		out = append(out, words.OfSchedule(runs))
	}
	if zone := words.OfZone(v.Work.Clock.Ahead); zone != "" {
		out = append(out, zone)
	}
	return out
}
