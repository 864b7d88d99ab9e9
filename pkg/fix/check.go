package fix

import (
	"fmt"
	"slices"
)

// CheckIntent holds an intent of a file against the table.
func CheckIntent(at string, i Intent) error {
	if i == nil {
		return Fault(at, "is none or more than one that fix knows")
	}
	r, known := ruleOf(i)
	if !known {
		return Fault(at, "is none that fix knows")
	}
	at += "." + r.name
	if err := r.object(at+"."+r.target, i.traits().Target); err != nil {
		return err
	}
	if p, ok := i.(pinned); ok {
		if field, why := p.wrong(); field != "" {
			return Fault(at+"."+field, "%s", why)
		}
	}
	return nil
}

// CheckStep holds a step of a file against the row of its intent, and hides what the table hides, whatever the step says.
func CheckStep(at string, i Intent, s *Step) error {
	r, known := ruleOf(i)
	if !known {
		return Fault(at, "is of an intent that fix does not know")
	}
	return r.step(at, s)
}

// Allowance is what the table says of a step by itself.
type Allowance struct {
	Of   string // name of the intent whose row allows it
	Undo Undo
	Risk Risk // of taking it back
}

// AllowanceOf returns what the table says of a step of a record, by what the step writes.
func AllowanceOf(at string, s *Step) (Allowance, error) {
	r, err := permitted(at, s)
	a := Allowance{Of: r.name, Undo: r.undo}
	if a.Undo.Exact {
		a.Risk = r.intent.traits().Risk
	}
	return a, err
}

// Permitted asks the table once more whether a step may be sent, and that it insists on the object it was resolved for.
func (s Step) Permitted() error {
	if s.intent == nil {
		return fmt.Errorf("a step on %s was not resolved", s.Target)
	}
	r, known := ruleOf(s.intent)
	if !known {
		return fmt.Errorf("%T may write nothing", s.intent)
	}
	insists := slices.ContainsFunc(s.patch, func(op Operation) bool {
		return op.Op == "test" && op.Path == uidPointer && equal(op.Value, s.Target.UID)
	})
	if !s.Delete && !insists {
		return fmt.Errorf("a patch of %s does not test its UID", s.Target)
	}
	s.Changes = slices.Clone(s.Changes)
	return r.step("step", &s)
}
