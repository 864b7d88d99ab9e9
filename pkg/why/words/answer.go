package words

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// OfAnswer says an answer: its clauses joined to one sentence, and the advice of what it consists of, each once.
func OfAnswer(a *rank.Answer) Phrase {
	p := Phrase{Says: joined(a.Clauses)}
	for i := range a.Advice {
		p.Do = append(p.Do, advice(&a.Advice[i], len(p.Do))...)
	}
	p.Do = Once(p.Do)
	return p
}

// fewest is up to how many commands are filled up with what to do next time.
const fewest = 3

// advice is what a cause advises after a number of other commands.
func advice(c *cause.Cause, after int) []command.Command {
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
	return Of(c).Do
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
func joined(clauses []rank.Clause) string {
	says := ""
	for i := range clauses {
		c := &clauses[i]
		if c.Joint == rank.InPlace {
			continue // the clause that leaves it open says it
		}
		switch text := form(c, clauses[i+1:]); {
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

// form is the part of a cause that a clause says, and what one of the clauses after it says in place of what it leaves open.
func form(c *rank.Clause, rest []rank.Clause) string {
	switch d := c.Cause.Detail.(type) {
	case logs.Failure:
		if c.Form == rank.Attempts {
			return attempts(d.Attempts)
		}
		if c.Form != rank.Whole {
			return failure(&d, c.Form)
		}
	case mechanism.Running:
		if at := slices.IndexFunc(rest, func(r rank.Clause) bool { return r.Joint == rank.InPlace }); at >= 0 {
			return runningWords(d, Of(&rest[at].Cause).Says).Says
		}
	}
	if c.Form == rank.Attempts {
		return ""
	}
	return Of(&c.Cause).Says
}
