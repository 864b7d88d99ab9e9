package fix

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Resolve returns the requests that an intent still needs, given the objects as they are now. The error is Done if
// none, Stale if the object is not what the check saw, and Refused if it must not be touched.
func Resolve(i Intent, f Fresh) ([]Step, error) {
	steps, err := i.resolve(f)
	if err != nil {
		return nil, err
	}
	for n := range steps {
		s := &steps[n]
		if err := allowed(*s); err != nil {
			return nil, err
		}
		if s.Delete {
			continue
		}
		o, err := f.target(s.Target)
		if err != nil {
			return nil, err
		}
		s.Target.UID = string(o.GetUID())
		tools := toolsOf(o)
		for _, c := range s.Changes {
			if tool := managedBy(tools, o, c.Path); tool != "" {
				return nil, revertedBy(i, tool, c.Path)
			}
		}
		if s.patch, err = patch(o.Object, *s); err != nil {
			return nil, &Stale{Reason: err.Error()}
		}
	}
	return steps, nil
}

// allowed holds what no intent may do, whoever wrote it. Writing the spec of an application makes the operator stop
// the job and submit it again (internal/controller/sparkapplication/event_filter.go@v2.5.2).
func allowed(s Step) error {
	if s.Delete {
		if s.Target.Group() == snapshot.SparkGroup && !s.ended {
			return fmt.Errorf("a plan must not delete %s", s.Target)
		}
		return nil
	}
	if len(s.Changes) == 0 {
		return fmt.Errorf("a step on %s changes nothing", s.Target)
	}
	for _, c := range s.Changes {
		spark := s.Target.Group() == snapshot.SparkGroup
		switch {
		case c.Path.under("status") != (s.Subresource == "status"):
			return fmt.Errorf("a plan must not write %s of %s through %q", c.Path, s.Target, s.Subresource)
		case spark && s.Subresource == "status" && (!c.Path.under("status", "executorState") || len(c.Path) != 3):
			return fmt.Errorf("a plan must not write %s of %s", c.Path, s.Target)
		case spark && s.Subresource == "" && !c.Path.under("metadata"):
			return fmt.Errorf("a plan must not write %s of %s", c.Path, s.Target)
		case len(c.Path) < 3:
			return fmt.Errorf("a plan must not write all of %s of %s", c.Path, s.Target)
		}
	}
	return nil
}

// revertedBy refuses a change that a deployment tool would take back.
func revertedBy(i Intent, tool string, path Path) error {
	r := &Refused{
		Reason: fmt.Sprintf("field manager %s owns %s and would take the change back", tool, path),
		Advice: "change it where " + tool + " takes it from",
	}
	if advice := i.traits().Elsewhere; advice != "" {
		r.Advice = advice
	}
	return r
}
