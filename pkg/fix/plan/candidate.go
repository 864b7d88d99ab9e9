package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Candidate is an intent that was selected, before it is resolved.
type Candidate struct {
	Finding Finding
	Intent  fix.Intent
	Named   bool // the user named its object
	// Obstacles are the faults of admission that stand in the way of the write.
	Obstacles []Obstacle
	Barred    *fix.Refused // why the intent is refused as the snapshot shows the cluster; nil: nothing is known against it
}

// Obstacle is a finding that stands in the way of another's repair.
type Obstacle struct {
	Finding
	Choose string // what to type to have it repaired first; empty if only a person can
}

// Limits are what the user allows.
type Limits struct {
	MaxRisk    fix.Risk
	Finalizers []string // --finalizer
	Namespace  string   // the only one that may be written to; empty: any
}

// Refuse returns why an intent is not allowed, and all that would allow it; empty if it is.
func (l Limits) Refuse(c Candidate) (reason, advice string) {
	t := fix.TraitsOf(c.Intent)
	switch {
	case Beyond(l.Namespace, t):
		return "it writes beyond namespace " + l.Namespace + ", by whose UID its record is bound to the cluster",
			"for more, get namespace kube-system: kubectl sparkdoctor rbac --for-fix prints the role"
	}
	var reasons, flags []string
	if t.Consent.Named && !c.Named {
		reasons = append(reasons, cmp.Or(t.Consent.Because, "it still runs"))
		flags = append(flags, "fix "+c.Finding.Check+"="+named(c.Finding.Object))
	}
	if t.Risk > l.MaxRisk {
		reasons, flags = append(reasons, "it is "+t.Risk.String()), append(flags, "--max-risk "+t.Risk.String())
	}
	if t.Consent.Finalizer != "" && !slices.Contains(l.Finalizers, t.Consent.Finalizer) {
		reasons = append(reasons, "its controller is not proven to be absent")
		flags = append(flags, "--finalizer "+t.Consent.Finalizer)
	}
	if len(flags) == 0 {
		return "", ""
	}
	return strings.Join(reasons, ", and "), strings.Join(flags, " ") + " allows it"
}

// Beyond reports whether an intent writes anything outside a namespace, also by what it falls back to. No namespace: nothing is.
func Beyond(namespace string, t fix.Traits) bool {
	return namespace != "" && (t.Target.Namespace != namespace || t.Otherwise != nil && Beyond(namespace, fix.TraitsOf(t.Otherwise)))
}

// named is an object as arguments name it.
func named(r snapshot.Ref) string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

// Resolved is a candidate with its steps as a plan shows them, or the error of Resolve.
type Resolved struct {
	Candidate
	Steps []fix.Step
	Err   error
}

// ResolvedFrom resolves a candidate against the objects as they are now.
func ResolvedFrom(c Candidate, f fix.Fresh) Resolved {
	steps, err := fix.Preview(c.Intent, f)
	return Resolved{Candidate: c, Steps: steps, Err: err}
}
