package main

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// gate adds what a gate answers and the steps of its runbook: all of them, or those that a check adds.
func (r *reported) gate(g *report.Gate, runbook bool) {
	e := entry{name: "gate", says: parts(g.Verdict, g.Installed+" to "+g.To, g.Because)}
	if runbook {
		e.add("from", g.From)
		e.add("hop", g.Hops...)
	}
	if runbook || len(r.report.Scope.Installations) > 1 {
		e.add("controller", g.Controller)
	}
	e.add("unreleased", g.Unreleased)
	if g.ApplicationsOnly {
		e.add("runbook", "of applications only")
	}
	e.add("only", g.Only...)
	e.add("value", g.Values...)
	if h := g.Release; h != nil {
		e.add("helmRelease", fmt.Sprintf("%s/%s revision %d, %s", h.Namespace, h.Name, h.Revision, parts(h.Status, h.Chart, h.OperatorAt)))
	}
	r.entries = append(r.entries, e)
	seen := map[string]int{}
	for _, s := range g.Runbook {
		if s.Check != "" || runbook {
			r.entries = append(r.entries, r.step(seen, s))
		}
	}
}

// step is a step of the runbook. What a finding of its check says, too, is left out.
func (r *reported) step(seen map[string]int, s report.GateStep) entry {
	said := map[string]bool{}
	for _, i := range r.report.Items {
		if i.Check != s.Check {
			continue
		}
		said[i.Message], said[i.Object.String()] = true, true
		for _, o := range i.Objects {
			said[o.String()] = true
		}
		for _, n := range i.Next {
			said[n.Text], said[n.Command] = true, true
		}
	}
	name := "step " + s.When
	if s.Check != "" {
		name += " of " + s.Check
	}
	if said[s.Do] {
		name += ", its next step"
	} else {
		name += ": " + s.Do
	}
	e := entry{name: unique(seen, name)}
	add := func(label string, values ...string) {
		e.add(label, slices.DeleteFunc(values, func(v string) bool { return said[v] })...)
	}
	e.add("hop", s.Hop)
	add("because", s.Because)
	for _, o := range s.Objects {
		add("object", o.String())
	}
	e.add("line", s.Lines...)
	add("command", slices.Clone(s.Commands)...)
	return e
}
