package words

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// OfAnswer says an answer: its clauses joined to one sentence, and the advice of what it consists of, each once.
func (t Terms) OfAnswer(a *rank.Answer) Phrase {
	p := Phrase{Says: t.joined(a.Clauses)}
	for i := range a.Advice {
		p.Do = append(p.Do, t.advice(&a.Advice[i], len(p.Do))...)
	}
	p.Do = Once(p.Do)
	return p
}

// briefly is how many characters three lines of a terminal hold beside their labels, and atLength those of four, where nothing is to be
// done.
const (
	briefly  = 205
	atLength = 270
)

// Brief is what a reader needs first of an answer: its first clause, which says what happened, and why that was so if there is room. Where
// the first only says that it cannot be told, it is what is known.
func (t Terms) Brief(a *rank.Answer) string {
	brief, _ := t.brief(a)
	return brief
}

// brief also returns which clauses it says.
func (t Terms) brief(a *rank.Answer) (brief string, said []int) {
	at := 0
	if a.Class == cause.Unknown && len(a.Clauses) > 1 {
		at = max(1, slices.IndexFunc(a.Clauses, func(c rank.Clause) bool { return losesExecutors(&c) }))
	}
	brief, said = t.form(&a.Clauses[at], a.Clauses[at+1:]), []int{at}
	whole := a.Clauses[at].Form == rank.Whole && a.SignatureFile == ""
	if d, is := a.Clauses[at].Cause.Detail.(logs.Failure); is && whole && speaksForItself(&d) {
		brief = failure(&d, rank.Lead) + whose(&d)
	}
	follows, most := true, briefly
	if a.Class == cause.RunningNormally || slices.ContainsFunc(a.Clauses, runsAgain) {
		most = atLength
	}
	for i := at + 1; i < len(a.Clauses); i++ {
		joint := ": "
		if a.Clauses[i].Form == rank.Followed || a.Clauses[i].Joint == rank.With {
			joint = "; "
		}
		follows = follows && (a.Clauses[i].Joint == rank.Because || joint == "; ")
		if !follows && a.Clauses[i].Joint != rank.With {
			continue
		}
		more := t.form(&a.Clauses[i], a.Clauses[i+1:])
		longer := brief + joint + more
		if more == "" {
			continue
		}
		if utf8.RuneCountInString(longer) > most {
			break
		}
		brief, said = longer, append(said, i)
	}
	return brief, said
}

// Follows is what an answer keeps from happening: runs of a schedule. Empty: nothing, or Brief says it.
func (t Terms) Follows(a *rank.Answer) string {
	_, said := t.brief(a)
	for i := range a.Clauses {
		if _, holds := a.Clauses[i].Cause.Detail.(mechanism.RunHoldsSchedule); holds && !slices.Contains(said, i) {
			return t.form(&a.Clauses[i], nil)
		}
	}
	return ""
}

// runsAgain reports whether a clause says that a stage does: nothing is to be done about that.
func runsAgain(c rank.Clause) bool { _, is := c.Cause.Detail.(mechanism.StageRerun); return is }

// losesExecutors reports whether a clause says how executors ended: that tells more than an exit code of the driver that gave up.
func losesExecutors(c *rank.Clause) bool {
	d, is := c.Cause.Detail.(logs.Failure)
	return is && len(d.Lost.Executors) > 0
}

// speaksForItself reports whether a failure is said in full without the exception that shows it.
func speaksForItself(f *logs.Failure) bool {
	_, known := f.Meaning.(logs.Known)
	plain := f.Earlier == nil && f.For == logs.Throwable{} && f.After == logs.Aftermath{} && f.Nameservice == ""
	return known && plain && f.Root.Class != "" && len(f.Lost.Executors) == 0 && f.Identity.Host == ""
}

// Shows is what shows an answer best, where that is an exception: what was raised first, and where, without those that only carry it; nil:
// its first evidence does.
func Shows(a *rank.Answer) *cause.Proof {
	_, explained := explains(&a.Clauses[0].Cause) // the failure comes behind it
	if _, is := (Terms{}).failureCauses(&a.Clauses[0].Cause); is {
		explained = true
	}
	if _, is := a.Clauses[0].Cause.Detail.(mechanism.QuotaRefuses); is {
		explained = true
	}
	for i := range a.Clauses {
		c := &a.Clauses[i].Cause
		if said, is := c.Detail.(mechanism.OperatorCannotCreate); is && len(c.Evidence) > 0 {
			p := c.Evidence[0]
			p.Value = said.Said
			return &p
		}
		if refused, is := c.Detail.(mechanism.SubmissionRefused); is && saysWhy(&refused.Refusal) && len(c.Evidence) > 0 {
			p := c.Evidence[0]
			p.Value = refused.Refusal.Said
			return &p
		}
		if refused, is := c.Detail.(mechanism.StoreRefused); is && refused.Said.Value != "" {
			p := refused.Said
			if f, is := a.Clauses[min(i+1, len(a.Clauses)-1)].Cause.Detail.(logs.Failure); is && f.Frame != (logs.Place{}) {
				p.Value += " at " + f.Frame.String()
			}
			return &p
		}
		if blocks, is := c.Detail.(mechanism.PolicyBlocks); is && blocks.Said.Value != "" {
			return &blocks.Said
		}
		switch c.Detail.(type) {
		case mechanism.StreamAtWork, mechanism.ServerIdle, mechanism.QuotaKeepsSlots, mechanism.TokenUnrenewed, mechanism.WholeResult,
			mechanism.FederationMissing, mechanism.WorkersKilled:
			if len(c.Evidence) > 0 {
				return &c.Evidence[0]
			}
		}
		d, is := c.Detail.(logs.Failure)
		if _, crashed := d.Meaning.(logs.JVMCrashed); crashed {
			return nil // the first one: the frame
		}
		beside := a.Clauses[i].Form == rank.Attempts && !explained || a.Clauses[i].Form == rank.Followed
		if !is || beside || d.Root == (logs.Throwable{}) || len(c.Evidence) == 0 {
			continue
		}
		if len(d.Lost.Executors) > 0 {
			return ended(a, c, &d)
		}
		p := c.Evidence[0]
		p.Value = throwable(d.Root)
		if d.Frame != (logs.Place{}) {
			p.Value += " at " + d.Frame.String()
		}
		return &p
	}
	return nil
}

// saysWhy reports whether the words of a policy tell what it asks for, behind much that names the pod and the policy.
func saysWhy(r *mechanism.Refusal) bool {
	return (r.Kind == mechanism.PolicyDenies || r.Kind == mechanism.WebhookDenies) && r.Said != ""
}

// ended is what shows how executors ended, of which the exception is a consequence: the state of one, or what the driver was told of it.
func ended(a *rank.Answer, failure *cause.Cause, d *logs.Failure) *cause.Proof {
	for i := range a.Clauses {
		c := &a.Clauses[i].Cause
		ofState := c.Trust == cause.ByContainer || c.Trust == cause.ByPod
		if ofState && c.Subject != failure.Subject && len(c.Evidence) > 0 {
			return &c.Evidence[0]
		}
	}
	p := failure.Evidence[0]
	p.Value = cmp.Or(d.Lost.Says, p.Value)
	return &p
}

// fewest is up to how many commands are filled up with what to do next time.
const fewest = 3

// advice is what a cause advises after a number of other commands.
func (t Terms) advice(c *cause.Cause, after int) []command.Command {
	switch c.Detail.(type) {
	case rank.NextTime:
		if after >= fewest {
			return nil
		}
	case rank.AskAgain:
		if after > 0 {
			return nil
		}
	}
	return t.Of(c).Do
}

// Once leaves out what was advised before.
func Once(list []command.Command) []command.Command {
	var out []command.Command
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// joined makes one sentence of clauses.
func (t Terms) joined(clauses []rank.Clause) string {
	says := ""
	for i := range clauses {
		c := &clauses[i]
		if c.Joint == rank.InPlace {
			continue // the clause that leaves it open says it
		}
		switch text := t.form(c, clauses[i+1:]); {
		case text == "":
		case says == "":
			says = text
		case c.Joint == rank.Because:
			says += ": " + text
		default:
			says += "; " + text
		}
	}
	return says
}

// symptom is what a log tells of a cause that was said before it.
func symptom(f *logs.Failure) string {
	if f.Connection.Fetches {
		return "executors cannot fetch blocks from each other (" + throwable(f.Root) + ")" + whose(f)
	}
	return throwable(f.Root) + whose(f)
}

// form is the part of a cause that a clause says, and what one of the clauses after it says in place of what it leaves open.
func (t Terms) form(c *rank.Clause, rest []rank.Clause) string {
	switch d := c.Cause.Detail.(type) {
	case logs.Failure:
		switch c.Form {
		case rank.Attempts:
			return attempts(d.Attempts)
		case rank.Loss:
			return killed(d.Lost)
		case rank.AfterLoss:
			return afterLoss(&d)
		case rank.Symptom:
			return symptom(&d)
		case rank.Followed:
			return "then others lost their connection to it" + whose(&d) + ": " + throwable(d.Root)
		}
		if c.Form != rank.Whole {
			return failure(&d, c.Form)
		}
	case mechanism.Running:
		if at := slices.IndexFunc(rest, func(r rank.Clause) bool { return r.Joint == rank.InPlace }); at >= 0 {
			return t.runningWords(d, t.Of(&rest[at].Cause).Says).Says
		}
	}
	if c.Form == rank.Attempts {
		return ""
	}
	return t.Of(&c.Cause).Says
}
