package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// plan makes the entries of a plan for the findings of the report. Checks that could not read everything stand together.
func (r *reported) plan(p plan.Plan) []entry {
	var list, checks []entry
	for _, f := range p.Fixes {
		list = append(list, r.fix(f))
	}
	seen := map[string]int{}
	for _, s := range p.Skipped {
		if s.Name == "" {
			checks = joined(checks, r.unread(s), " "+s.Check)
		} else {
			list = append(list, r.skipped(seen, s))
		}
	}
	return append(list, checks...)
}

// unread is a check for which nothing is planned, as it could not read everything. What the report says, too, is left out.
func (r *reported) unread(s plan.Skipped) entry {
	e, c := entry{name: "left " + s.Check, says: s.Reason}, r.check(s.Check)
	if reason, same := strings.CutSuffix(s.Reason, ": "+c.Reason); same && c.Reason != "" {
		e.says = reason + ", see check"
	}
	if s.Message != c.Title {
		e.add("message", s.Message)
	}
	e.leftOut(s)
	return e
}

func (r *reported) check(id string) report.Check {
	for _, c := range r.report.Checks {
		if c.ID == id {
			return c
		}
	}
	return report.Check{}
}

func (r *reported) fix(f plan.Fix) entry {
	e := entry{name: fmt.Sprintf("fix %d", f.ID), says: fmt.Sprintf("%s, undo %s: %s", f.Risk, undo(f.Undo), f.Title)}
	for _, of := range f.Findings {
		name, said := r.same(of)
		e.add("finding", name)
		if !said {
			e.add("message", parts(of.Severity, of.Message))
		}
	}
	for _, id := range f.After {
		e.add("after", fmt.Sprint(id))
	}
	e.add("blocked", f.Blocked)
	e.add("else", f.Fallback)
	for _, s := range f.Steps {
		step(&e, s, f.Undo)
	}
	return e
}

// same is the name of the finding, and whether the report says the same of it.
func (r *reported) same(f plan.Finding) (string, bool) {
	if i := r.item(f.Name); i.Message != "" {
		return r.names[f.Name], i.Message == f.Message && i.Severity == f.Severity
	}
	return strings.TrimSpace(f.Check + " " + f.Object.String()), false
}

func undo(u fix.Undo) string {
	if u.Exact {
		return "exact"
	}
	return "none (" + u.Reason + ")"
}

func step(e *entry, s fix.Step, of fix.Undo) {
	const most = 5
	target := s.Target.String()
	if s.Subresource != "" {
		target += ", subresource " + s.Subresource
	}
	e.add("step", fmt.Sprintf("%s %s: %s", s.Verb(), target, s.Why))
	for _, p := range s.Preconditions {
		e.add("if", p.Path.String()+" = "+value(p.Value))
	}
	for _, c := range s.Changes[:min(len(s.Changes), most)] {
		e.add(change(c))
	}
	if more := len(s.Changes) - most; more > 0 {
		e.add("and", fmt.Sprintf("%d more changes", more))
	}
	if s.Undo != of {
		e.add("undo", undo(s.Undo))
	}
	if a := s.Await; a != nil {
		e.add("await", strings.TrimSpace(fmt.Sprintf("%s %s", a.Within, parts(strings.TrimSpace(a.Lease.String()), a.Held))))
	}
}

// change is what a change does to its field, and the values.
func change(c fix.Change) (op, text string) {
	switch {
	case c.Old == nil:
		return "add", c.Path.String() + " = " + value(c.New)
	case c.New == nil:
		return "remove", c.Path.String() + " = " + value(c.Old)
	}
	return "replace", c.Path.String() + " = " + value(c.Old) + " -> " + value(c.New)
}

func value(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return cut(string(text), 120)
}

// skipped is a finding, or a part of one, for which nothing is planned. What the report says, too, is left out.
func (r *reported) skipped(seen map[string]int, s plan.Skipped) entry {
	name, said := r.same(s.Finding)
	e := entry{name: unique(seen, "left "+name), says: s.Reason}
	if len(s.Next) > 0 && slices.ContainsFunc(r.item(s.Name).Next, func(n report.Next) bool { return s.Next[0].Text == n.Text }) {
		e.says += ", see next"
	} else {
		for _, n := range s.Next {
			e.add("next", n.Text)
			e.add("command", n.Command)
		}
	}
	if !said {
		e.add("message", parts(s.Severity, s.Message))
	}
	e.leftOut(s)
	return e
}

func (e *entry) leftOut(s plan.Skipped) {
	e.add("title", s.Title)
	e.add("advice", s.Advice)
	if s.Stale {
		e.add("stale", "true")
	}
}
