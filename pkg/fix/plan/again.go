package plan

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// Again returns the intent of a fix as the checks state it now, held to what the plan shows; the error is Stale. What the
// file says of its consequences, its proof and its conditions is not believed.
func (f Fix) Again(now []Candidate) (Candidate, error) {
	planned := f.Spec.Intent()
	was := fix.TraitsOf(planned)
	replaced := false
	for _, c := range now {
		if reflect.TypeOf(c.Intent) != reflect.TypeOf(planned) {
			continue
		}
		c.Intent = fix.Pin(c.Intent, planned)
		is := fix.TraitsOf(c.Intent)
		replaced = replaced || is.Target.Key() == was.Target.Key() && is.Target.UID != was.Target.UID
		if is.Target != was.Target || is.Title != was.Title || is.Risk != was.Risk {
			continue
		}
		c.Intent = Fix{Spec: fix.SpecOf(c.Intent), Steps: f.Steps}.Intent(false)
		return c, nil
	}
	if replaced {
		return Candidate{}, &fix.Stale{Reason: fmt.Sprintf("%s was replaced by another object of that name", was.Target)}
	}
	return Candidate{}, &fix.Stale{Reason: "the finding is there, and this is no fix for it now"}
}

// Gone says what became of a fix whose finding is not found again: Done if nothing is left of it to do, else Stale.
func (f Fix) Gone(fresh fix.Fresh, why error) error {
	intent := f.Spec.Intent()
	_, err := fix.Resolve(intent, fresh)
	var done *fix.Done
	if errors.As(err, &done) {
		return err
	}
	if _, err := fresh.Target(fix.TraitsOf(intent).Target); err != nil {
		return err
	}
	return why
}

// ResolvedWithin is ResolvedFrom for the fix of a plan file: stale if more would have to be written than the plan shows.
func (f Fix) ResolvedWithin(c Candidate, fresh fix.Fresh) Resolved {
	r := ResolvedFrom(c, fresh)
	if r.Err == nil && !fix.Within(f.Steps, r.Steps) {
		r.Err = &fix.Stale{Reason: "what would have to be written is not what the plan shows"}
	}
	return r
}
