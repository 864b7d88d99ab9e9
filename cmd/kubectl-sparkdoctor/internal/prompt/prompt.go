// Package prompt asks a person about a plan: about all of it, or fix by fix as "git add -p" does.
package prompt

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Prompt asks about a plan. Its functions print; what they print is not the prompt's business.
type Prompt struct {
	In      io.Reader
	Out     io.Writer            // for questions
	Line    func(plan.Fix) error // one line: what is written to what
	Diff    func(plan.Fix) error // field by field
	Explain func(plan.Fix) error // the pages of the checks that the fix is for
}

// choices are the answers to a question about one fix.
const choices = `y  apply this fix
n  do not apply it
d  show its diff
e  explain the check that it is for
a  apply this fix and all that follow
q  apply none of those that follow
`

// choicesOfAll are the answers to the question about all of a plan.
const choicesOfAll = `y  apply all of it
n  apply nothing (so does Enter)
d  show the diffs
i  ask about one fix after the other
`

// Ask returns the ids of the fixes to apply, none if the person declines. where names the cluster.
func (p *Prompt) Ask(of plan.Plan, where string, individually bool) ([]int, error) {
	in := bufio.NewReader(p.In)
	fixes := of.Applicable()
	if individually {
		return p.each(in, fixes)
	}
	for {
		_, _ = fmt.Fprintf(p.Out, "Apply %s to %s in %s? [y/N/d/i/?] ",
			phrase.Counted(len(fixes), "fix"), phrase.Counted(of.Objects(), "object"), where)
		answer, open := read(in)
		switch answer {
		case "y", "yes":
			return ids(fixes), nil
		case "i":
			return p.each(in, fixes)
		case "d":
			for _, f := range fixes {
				if err := p.Diff(f); err != nil {
					return nil, err
				}
			}
			if open {
				continue
			}
		case "?":
			_, _ = fmt.Fprint(p.Out, choicesOfAll)
			if open {
				continue
			}
		}
		return nil, nil
	}
}

// each asks about one fix after the other. A fix that needs one that was declined is declined.
func (p *Prompt) each(in *bufio.Reader, fixes []plan.Fix) ([]int, error) {
	var chosen []int
	for i := 0; i < len(fixes); {
		f := fixes[i]
		if at := slices.IndexFunc(f.After, func(id int) bool { return !slices.Contains(chosen, id) }); at >= 0 {
			_, _ = fmt.Fprintf(p.Out, "fix %d needs fix %d, which is not applied\n", f.ID, f.After[at])
			i++
			continue
		}
		if err := p.Line(f); err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(p.Out, "(%d/%d) Apply fix %d? [y/n/d/e/a/q/?] ", i+1, len(fixes), f.ID)
		answer, open := read(in)
		switch answer {
		case "y", "yes":
			chosen = append(chosen, f.ID)
			i++
		case "n", "no":
			i++
		case "a":
			return append(chosen, rest(fixes[i:], chosen)...), nil
		case "q":
			return chosen, nil
		case "d":
			if err := p.Diff(f); err != nil {
				return nil, err
			}
		case "e":
			if err := p.Explain(f); err != nil {
				return nil, err
			}
		default:
			_, _ = fmt.Fprint(p.Out, choices)
		}
		if !open {
			return nil, nil // no more answers will come, so there was no decision
		}
	}
	return chosen, nil
}

// rest are the ids of fixes, without those that need one that was declined.
func rest(fixes []plan.Fix, chosen []int) []int {
	var out []int
	for _, f := range fixes {
		if !slices.ContainsFunc(f.After, func(id int) bool { return !slices.Contains(chosen, id) && !slices.Contains(out, id) }) {
			out = append(out, f.ID)
		}
	}
	return out
}

func ids(fixes []plan.Fix) []int {
	var out []int
	for _, f := range fixes {
		out = append(out, f.ID)
	}
	return out
}

// read returns an answer, and whether there may be another.
func read(in *bufio.Reader) (answer string, open bool) {
	line, err := in.ReadString('\n')
	return strings.ToLower(strings.TrimSpace(line)), err == nil
}
