package why

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// said puts the answers into words.
func said(v *mechanism.View, answers []rank.Answer, notes []spec.Note, say func(*rank.Answer) words.Phrase) CaseFile {
	f := CaseFile{AsOf: v.Now, Subject: v.Subject, State: stateOf(v)}
	for i := range answers {
		p := say(&answers[i])
		c := answers[i].Cause
		c.Message, c.Next = p.Says, p.Do
		f.Causes = append(f.Causes, c)
	}
	noted := bySpec(notes, f.Verdict())
	inTerms(v, f.Causes)
	f.Timeline = timeline(v)
	f.Executors = executors(v)
	f.Attempts = attempts(v, f.Verdict())
	for _, r := range rank.RuleOut(v, answers) {
		message, because := words.OfRuledOut(r)
		f.RuledOut = append(f.RuledOut, RuledOut{Message: message, Because: because})
	}
	for _, g := range v.Gaps() {
		f.Unseen = append(f.Unseen, Unseen(words.OfGap(g)))
	}
	f.Also = slices.Concat(noted, also(v, &f), zone(v))
	return f
}

// bySpec adds what the spec says about the verdict, and returns it as lines.
func bySpec(notes []spec.Note, verdict *cause.Cause) []string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Text)
		for _, p := range n.Proofs {
			same := func(o cause.Proof) bool { return o.Object.Name == p.Object.Name && o.Field == p.Field }
			if !slices.ContainsFunc(verdict.Evidence, same) {
				verdict.Evidence = append(verdict.Evidence, p)
			}
		}
		verdict.Next = words.Once(append(verdict.Next, n.Next...))
	}
	return out
}

// zone says that the times of the log were put right.
func zone(v *mechanism.View) []string {
	ahead := v.Work.Clock.Ahead
	if ahead == 0 {
		return nil
	}
	sign := "+"
	if ahead < 0 {
		sign, ahead = "-", -ahead
	}
	return []string{fmt.Sprintf("the driver's log is in UTC%s%02d:%02d by the start of its container; its times are shown in UTC", sign,
		int(ahead.Hours()), int(ahead.Minutes())%60)}
}
