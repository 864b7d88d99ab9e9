package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// apache is what an object of the Apache Spark Kubernetes Operator tells, or an event about one that was not seen.
func apache(v *View) []cause.Cause {
	if v.Application != nil {
		return nil
	}
	for _, find := range []func(*View) []cause.Cause{
		apacheTimedOut, apacheExecutorsTimedOut, apacheRefused, apacheEvicted, apacheFailed, apacheSucceeded, apacheStopped, apacheStands,
	} {
		if found := find(v); len(found) > 0 {
			return found
		}
	}
	return nil
}

// apacheOutcome is the state that tells how an object of that operator stands, if it is one of these.
func (v *View) apacheOutcome(states ...string) (app.Transition, bool) {
	if v.Apache == nil {
		return app.Transition{}, false
	}
	t := v.Apache.Outcome()
	return t, slices.Contains(states, t.State)
}

// apacheSays is a cause by such a state.
func (v *View) apacheSays(t app.Transition, class cause.Class, d cause.Detail, more ...cause.Proof) cause.Cause {
	value := stated(t.State, t.Message)
	seen := []cause.Proof{{Object: v.Apache.Ref(), Field: t.Field, Value: value, At: t.At}}
	return cause.Cause{Class: class, Role: cause.DriverRole, Subject: v.Apache.Ref(), Trust: cause.ByOperator, At: t.At, Detail: d,
		Evidence: append(seen, more...)}
}

// apacheField is a field of the spec of such an object.
func (v *View) apacheField(path, value string) cause.Proof {
	return cause.Proof{Object: v.Apache.Ref(), Field: "spec." + path, Value: value}
}

// apacheSpecChanged: the object shows what the spec is now, and not what it was when the operator gave the run up.
func apacheSpecChanged() Rival {
	return Rival{Rival: cause.Rival{ID: "spec-changed", Is: "the spec was changed after the run began"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			a := v.Apache
			if a == nil {
				return cause.NotSeen
			}
			wrote := false
			for _, m := range a.ManagedFields {
				ofSpec := m.FieldsV1 == nil || strings.Contains(string(m.FieldsV1.GetRawBytes()), `"f:spec"`)
				if m.Subresource != "" || m.Time == nil || !ofSpec {
					continue
				}
				if wrote = true; m.Time.After(a.Entered("DriverRequested")) {
					return cause.Present
				}
			}
			if a.Generation > 1 && !wrote {
				return cause.NotSeen
			}
			return cause.RuledOut
		}}
}
