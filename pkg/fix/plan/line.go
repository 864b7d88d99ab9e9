package plan

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// shownChanges bounds the fields that a line names.
const shownChanges = 2

// Line says in one line what a fix writes: "team-a/clickstream status.executorState 13004 → 104 entries". Values of the cluster are
// in it as they are, but for line breaks: who prints it must escape them.
func (f Fix) Line() string {
	target := f.Traits().Target
	parts := []string{strings.Trim(target.Namespace+"/"+target.Name, "/")}
	for _, s := range f.Steps {
		parts = append(parts, summary(s))
	}
	text := strings.TrimRight(strings.Join(parts, " "), " ")
	if f.Blocked != "" {
		text += " (blocked: " + f.Blocked + ")"
	}
	return fix.OneLine(text)
}

func summary(s fix.Step) string {
	switch {
	case s.Summary != nil:
		return *s.Summary
	case s.Delete:
		return strings.ToLower(s.Target.Kind) + " deleted"
	}
	var fields []string
	for i, c := range s.Changes {
		if i == shownChanges && len(s.Changes) > shownChanges+1 {
			return strings.Join(fields, ", ") + fmt.Sprintf(" and %d more fields", len(s.Changes)-i)
		}
		fields = append(fields, c.Short())
	}
	return strings.Join(fields, ", ")
}

// Only returns the plan with some of its fixes.
func (p Plan) Only(ids []int) Plan {
	kept := map[int]bool{}
	for _, id := range ids {
		kept[id] = true
	}
	out := p
	out.Fixes = nil
	for _, f := range p.Fixes {
		if kept[f.ID] || f.Blocked != "" {
			out.Fixes = append(out.Fixes, f)
		}
	}
	return out
}
