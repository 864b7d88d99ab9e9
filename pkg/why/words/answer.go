package words

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
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

// Settings are those of Spark that an answer names: a reader looks up next what they are set to.
func Settings(a *rank.Answer) []string {
	p := OfAnswer(a)
	out := setting.FindAllString(p.Says, -1)
	for _, one := range p.Do {
		out = append(out, setting.FindAllString(one.Text, -1)...)
	}
	return out
}

var setting = regexp.MustCompile(`\bspark\.[\w.]*\w`)

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
		if !slices.ContainsFunc(out, func(o command.Command) bool { return o.Text == one.Text }) {
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
		if c.Joint == rank.Instead {
			if other := joined(c.Rather); len(says) < len(other) {
				says = other
			}
			continue
		}
		switch text := form(c); {
		case text == "":
		case says == "":
			says = text
		case c.Joint == rank.Because:
			says += ": " + text
		case c.Joint == rank.InPlace:
			says = strings.Replace(says, unsaid, "; "+text, 1)
		default:
			says += "; " + text
		}
	}
	return says
}

// form is the part of a cause that a clause says.
func form(c *rank.Clause) string {
	says := Of(&c.Cause).Says
	switch c.Form {
	case rank.Raised:
		_, raised, _ := strings.Cut(says, ": ")
		return raised
	case rank.Lead:
		lead, _, _ := strings.Cut(says, ": ")
		return lead
	case rank.Attempts:
		if _, task, found := strings.Cut(says, "; task "); found {
			return "task " + task
		}
		return ""
	default:
		return says
	}
}

const unsaid = mechanism.Unsaid
