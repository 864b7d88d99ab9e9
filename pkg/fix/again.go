package fix

import (
	"errors"
	"reflect"
)

// Again returns the wish of a fix as the checks state it now, held to what the plan shows; the error is Stale. What the
// file says of its consequences, its proof and its conditions is not believed.
func (f Fix) Again(now []Candidate) (Candidate, error) {
	planned := f.Spec.Intent()
	was := planned.traits()
	replaced := false
	for _, c := range now {
		if reflect.TypeOf(c.Intent) != reflect.TypeOf(planned) {
			continue
		}
		c.Intent = Pin(c.Intent, planned)
		is := c.Intent.traits()
		replaced = replaced || is.Target.Key() == was.Target.Key() && is.Target.UID != was.Target.UID
		if is.Target != was.Target || is.Title != was.Title || is.Risk != was.Risk {
			continue
		}
		c.Intent = Fix{Spec: SpecOf(c.Intent), Steps: f.Steps}.Intent(false)
		return c, nil
	}
	if replaced {
		return Candidate{}, stale("%s was replaced by another object of that name", was.Target)
	}
	return Candidate{}, stale("the finding is there, and this is no fix for it now")
}

// Gone says what became of a fix whose finding is not found again: Done if nothing is left of it to do, else Stale.
func (f Fix) Gone(fresh Fresh, why error) error {
	intent := f.Spec.Intent()
	_, err := Resolve(intent, fresh)
	var done *Done
	if errors.As(err, &done) {
		return err
	}
	if _, err := fresh.Target(intent.traits().Target); err != nil {
		return err
	}
	return why
}

// ResolvedWithin is ResolvedFrom for the fix of a plan file: stale if more would have to be written than the plan shows.
func (f Fix) ResolvedWithin(c Candidate, fresh Fresh) Resolved {
	r := ResolvedFrom(c, fresh)
	if r.Err == nil && !Within(f.Steps, r.Steps) {
		r.Err = stale("what would have to be written is not what the plan shows")
	}
	return r
}
