package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// Undo returns what takes a record back, the last fix first, and what cannot be, with the reason. Both are said in terms of
// what the record wrote, whatever it says of itself, and only what a field manager wrote is taken back.
func (r Record) Undo(manager string) ([]Candidate, []Skipped) {
	failed := map[int]bool{} // requests that the server refused
	for _, e := range r.Entries {
		failed[e.Number] = failed[e.Number] || e.End == Failed
	}
	type group struct {
		last    Entry
		changes []fix.Change
		seen    map[string]bool // a field is written again after a request without an answer
	}
	groups, at := []*group{}, map[string]*group{} // the requests of a fix to one object, by the last of them
	for _, e := range r.Entries {
		if e.Step == nil || failed[e.Number] {
			continue
		}
		key := fmt.Sprint(e.Fix, e.allowed.Of, e.Step.Target, e.Step.Subresource)
		g := at[key]
		if g == nil {
			g = &group{seen: map[string]bool{}}
			at[key], groups = g, append(groups, g)
		}
		g.last = e
		for _, c := range e.Step.Changes {
			if path := strings.Join(c.Path, "\x00"); !g.seen[path] {
				g.seen[path] = true
				g.changes = append(g.changes, c)
			}
		}
	}
	slices.SortFunc(groups, func(a, b *group) int { return cmp.Compare(b.last.Number, a.last.Number) })
	var back []Candidate
	var left []Skipped
	for _, g := range groups {
		e, finding := g.last, r.finding(g.last)
		if !e.allowed.Undo.Exact {
			left = append(left, Skipped{Finding: finding, Title: "take back: " + writtenBy(e.Step, g.changes), Reason: e.allowed.Undo.Reason})
			continue
		}
		back = append(back, Candidate{Finding: finding, Intent: fix.Restore{
			Object: e.Step.Target, Subresource: e.Step.Subresource, Changes: g.changes, Preconditions: e.Step.Preconditions,
			Was: fix.FieldsOf(g.changes), Of: e.allowed.Of, Risk: e.allowed.Risk, Manager: manager,
		}})
	}
	return back, left
}

func writtenBy(s *fix.Step, changes []fix.Change) string {
	if s.Delete {
		return "the deletion of " + s.Target.String()
	}
	return fix.FieldsOf(changes)
}

// finding is what an entry was for, as its undo names it.
func (r Record) finding(e Entry) Finding {
	f := Finding{
		Name: fmt.Sprintf("fix-%d-%s", e.Fix, e.Step.Target.Key()), Object: e.Step.Target,
		Message: "written by fix " + strconv.Itoa(e.Fix) + " at " + e.At.UTC().Format(time.RFC3339),
	}
	for _, p := range r.Fixes {
		if p.ID == e.Fix && p.Title == e.Title && len(p.Findings) > 0 {
			f.Check = p.Findings[0].Check
		}
	}
	return f
}
