package fix

import (
	"fmt"
	"strings"
)

// Text tells people what a fix does: what it is for, what would be written, and why. Values of the cluster are in it as
// they are: who prints it must escape them.
func (f Fix) Text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "fix %d (%s, undo %s): %s\n", f.ID, f.Risk, f.Undo, f.Title)
	for _, finding := range f.Findings {
		fmt.Fprintf(&b, "  for %s %s: %s\n", finding.Check, finding.Object, finding.Message)
	}
	for i, s := range f.Steps {
		if i == 0 || s.Why != f.Steps[i-1].Why {
			fmt.Fprintf(&b, "  why: %s\n", s.Why)
		}
	}
	if len(f.After) > 0 {
		fmt.Fprintf(&b, "  after: fix %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(f.After), " ", ", "), "[]"))
	}
	if f.Else != "" {
		fmt.Fprintf(&b, "  if that does not help: %s\n", f.Else)
	}
	if f.Blocked != "" {
		fmt.Fprintf(&b, "  blocked: %s\n", f.Blocked)
		return b.String(), nil
	}
	for i, s := range f.Steps {
		if i > 0 && s.alike(f.Steps[i-1]) {
			continue // the next batch of the same
		}
		diff, err := s.Diff()
		if err != nil {
			return "", err
		}
		b.WriteString(diff)
		if rest := f.changes(s) - maxShown; rest > 0 {
			fmt.Fprintf(&b, "# and %d more fields like these\n", rest)
		}
	}
	return b.String(), nil
}

// changes is how many fields the steps on the object of one change.
func (f Fix) changes(s Step) int {
	n := 0
	for _, other := range f.Steps {
		if s.alike(other) {
			n += len(other.Changes)
		}
	}
	return n
}

// Text tells people why nothing is planned for a finding, and what they can do.
func (l Left) Text() string {
	var b strings.Builder
	if l.Object.Name == "" {
		fmt.Fprintf(&b, "  %s: %s\n", l.Check, l.Message) // about a check, not about an object
	} else {
		fmt.Fprintf(&b, "  %s %s: %s\n", l.Check, l.Object, l.Message)
	}
	if l.Title != "" {
		fmt.Fprintf(&b, "    not planned: %s: %s\n", l.Title, l.Reason)
	} else {
		fmt.Fprintf(&b, "    %s\n", l.Reason)
	}
	if l.Advice != "" {
		fmt.Fprintf(&b, "    %s\n", l.Advice)
	}
	return b.String()
}
