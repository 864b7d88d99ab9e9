package fix

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Step is one request.
type Step struct {
	Target      snapshot.Ref `json:"target"`
	Subresource string       `json:"subresource,omitempty"`
	Delete      bool         `json:"delete,omitempty"`
	Changes     []Change     `json:"changes,omitempty"` // none for a delete
	Why         string       `json:"why"`
	Undo        Undo         `json:"undo"`
	Await       *Await       `json:"await,omitempty"`
	// Summary says in a line what is written, where the fields themselves do not; it is no part of a plan file.
	Summary *string `json:"-"`
	// Stay counts the entries that a map keeps after the changes; 0: not counted. Plan files do not hold it.
	Stay int `json:"-"`
	// Preconditions are fields that must have these values, besides the object's UID and the old values of the changes.
	Preconditions []Precondition `json:"hold,omitempty"`

	// patch, and version for a delete, hold for the object as it was when the step was resolved, so they are re-created
	// for every attempt and are no part of a plan.
	patch     []Operation
	version   string // resourceVersion
	intent    Intent // which it carries out
	unchanged bool   // the object must not have changed at all, which takes fewer bytes than to test each field
}

// Next is a further step of the same fix, after an earlier one has given the object a new resourceVersion.
func (s Step) Next(version string) Step {
	s.patch = slices.Clone(s.patch)
	for i, op := range s.patch {
		if op.Op == "test" && op.Path == versionPointer {
			s.patch[i].Value = version
		}
	}
	return s
}

// Precondition is a field and the value that it must have.
type Precondition struct {
	Path  Path `json:"path"`
	Value any  `json:"value"`
}

// Await is what must come true after a step before anything that depends on it: the rollout of the Deployment is done, and
// a new replica leads.
type Await struct {
	Lease  snapshot.Ref  `json:"lease,omitzero"` // is held by another than Held, who renews it; none without leader election
	Held   string        `json:"held,omitempty"` // identity that held it before
	Within time.Duration `json:"within"`
}

// Patch returns the JSON patch of a resolved step, with its preconditions first.
func (s Step) Patch() []Operation { return s.patch }

// Version returns the resourceVersion that a delete insists on.
func (s Step) Version() string { return s.version }

// Verb returns the verb that permissions name.
func (s Step) Verb() string {
	if s.Delete {
		return "delete"
	}
	return "patch"
}

// OnSparkObject reports whether the step writes the main resource of an object of the operator, which its webhooks must
// admit and may change.
func (s Step) OnSparkObject() bool {
	return s.Target.Group() == snapshot.SparkGroup && s.Subresource == "" && !s.Delete
}

// ChangesOwners reports whether the step writes ownerReferences, for which admission may ask for further permissions.
func (s Step) ChangesOwners() bool {
	return slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Path.under("metadata", "ownerReferences") })
}

// Within reports whether these steps do nothing that the planned ones do not. Fewer changes are fine: somebody else may
// have made them.
func Within(planned, now []Step) bool {
	for _, s := range now {
		if !slices.ContainsFunc(planned, s.Alike) {
			return false
		}
		index := map[string]*Change{}
		for _, p := range planned {
			if s.Alike(p) {
				for i := range p.Changes {
					index[p.Changes[i].Path.key()] = &p.Changes[i]
				}
			}
		}
		for _, c := range s.Changes {
			if p, known := index[c.Path.key()]; !known || !p.same(c) {
				return false
			}
		}
	}
	return true
}

// Alike reports whether two steps are requests of one kind to one object.
func (s Step) Alike(o Step) bool {
	return s.Target.Key() == o.Target.Key() && s.Target.UID == o.Target.UID && s.Subresource == o.Subresource && s.Delete == o.Delete
}
