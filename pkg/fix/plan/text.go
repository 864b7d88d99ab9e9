package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Text tells people what a fix does: what it is for, what would be written, and why. Values of the cluster are in it as
// they are, but for line breaks: who prints it must escape them.
func (f Fix) Text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "fix %d (%s, undo %s): %s\n", f.ID, f.Risk, fix.OneLine(f.Undo), fix.OneLine(f.Title))
	for _, finding := range f.Findings {
		fmt.Fprintf(&b, "  for %s %s: %s\n", finding.Check, fix.OneLine(finding.Object), fix.OneLine(finding.Message))
	}
	for i, s := range f.Steps {
		if i == 0 || s.Why != f.Steps[i-1].Why {
			fmt.Fprintf(&b, "  why: %s\n", fix.OneLine(s.Why))
		}
	}
	if len(f.After) > 0 {
		fmt.Fprintf(&b, "  after: fix %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(f.After), " ", ", "), "[]"))
	}
	if f.Fallback != "" {
		fmt.Fprintf(&b, "  if that does not help: %s\n", fix.OneLine(f.Fallback))
	}
	if f.Blocked != "" {
		fmt.Fprintf(&b, "  blocked: %s\n", fix.OneLine(f.Blocked))
		return b.String(), nil
	}
	for i, s := range f.Steps {
		if slices.ContainsFunc(f.Steps[:i], s.Alike) {
			continue // shown with the first of them
		}
		for _, other := range f.Steps[i+1:] {
			if s.Alike(other) {
				s.Changes = append(slices.Clip(s.Changes), other.Changes...)
			}
		}
		diff, err := s.Diff()
		if err != nil {
			return "", err
		}
		b.WriteString(diff)
	}
	return b.String(), nil
}

// Summary is how much of a plan can be applied, and why the rest cannot: "Plan: 2 to apply, 3 not: no automatic fix (2), it is destructive
// (1)".
func (p Plan) Summary() string {
	var reasons []string
	times := map[string]int{}
	for _, l := range p.Skipped {
		if times[l.Reason]++; times[l.Reason] == 1 {
			reasons = append(reasons, l.Reason)
		}
	}
	for _, f := range p.Fixes {
		if f.Blocked == "" {
			continue
		}
		if times[f.Blocked]++; times[f.Blocked] == 1 {
			reasons = append(reasons, f.Blocked)
		}
	}
	ready := len(p.Applicable())
	text := fmt.Sprintf("Plan: %d to apply", ready)
	if len(reasons) == 0 {
		return text
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return times[b] - times[a] })
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%s (%d)", fix.OneLine(reason), times[reason])
	}
	more := ""
	if n := len(reasons) - shownReasons; n > 0 {
		reasons, more = reasons[:shownReasons], " and "+phrase.Counted(n, "other reason")
	}
	return fmt.Sprintf("%s, %d not: %s%s", text, len(p.Skipped)+len(p.Fixes)-ready, strings.Join(reasons, ", "), more)
}

// shownReasons bounds what a summary says of why fixes cannot be applied.
const shownReasons = 3

// SkippedText tells why nothing is planned for what is left. Checks that could not look for the same reason are told together.
func (p Plan) SkippedText() string {
	var b strings.Builder
	told := map[string]bool{}
	for _, l := range p.Skipped {
		alike := p.unseenFor(l)
		switch {
		case len(alike) < 2:
			b.WriteString(l.Text())
		case !told[l.Reason]:
			told[l.Reason] = true
			fmt.Fprintf(&b, "  %s:\n    %s\n", strings.Join(alike, ", "), fix.OneLine(l.Reason))
		}
	}
	return b.String()
}

// unseenFor are the ids of the checks that could not look for the same reason as one.
func (p Plan) unseenFor(one Skipped) (ids []string) {
	for _, l := range p.Skipped {
		if one.Object.Name == "" && l.Object.Name == "" && l.Reason == one.Reason {
			ids = append(ids, l.Check)
		}
	}
	return ids
}

// Alike reports whether two parts of a finding are left for one reason.
func (l Skipped) Alike(o Skipped) bool {
	return l.Finding == o.Finding && l.Title == o.Title && l.Reason == o.Reason && l.Advice == o.Advice
}

// Text tells people why nothing is planned for a finding, and what they can do.
func (l Skipped) Text() string {
	var b strings.Builder
	if l.Object.Name == "" {
		fmt.Fprintf(&b, "  %s: %s\n", l.Check, fix.OneLine(l.Message)) // about a check, not about an object
	} else {
		fmt.Fprintf(&b, "  %s %s: %s\n", l.Check, fix.OneLine(l.Object), fix.OneLine(l.Message))
	}
	if l.Title != "" {
		fmt.Fprintf(&b, "    not planned: %s: %s\n", fix.OneLine(l.Title), fix.OneLine(l.Reason))
	} else {
		fmt.Fprintf(&b, "    %s\n", fix.OneLine(l.Reason))
	}
	if l.Advice != "" {
		fmt.Fprintf(&b, "    %s\n", fix.OneLine(l.Advice))
	}
	for _, next := range l.Next {
		fmt.Fprintf(&b, "    %s\n", fix.OneLine(next.Text))
		if next.Command != "" { // alone on its line, to be copied
			fmt.Fprintf(&b, "      %s\n", fix.OneLine(next.Command))
		}
	}
	return b.String()
}
