package plan

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Permission is one verb on one object.
type Permission struct {
	Verb        string
	Object      snapshot.Ref
	Subresource string
}

// Permissions are what the applicable fixes of a plan need for their writes, each once.
func (p Plan) Permissions() []Permission {
	var out []Permission
	for _, f := range p.Applicable() {
		for _, s := range f.Steps {
			target := s.Target
			target.UID = ""
			out = append(out, Permission{Verb: s.Verb(), Object: target, Subresource: s.Subresource})
		}
	}
	slices.SortFunc(out, func(a, b Permission) int {
		return cmp.Or(cmp.Compare(a.Verb, b.Verb), a.Object.Compare(b.Object), cmp.Compare(a.Subresource, b.Subresource))
	})
	return slices.Compact(out)
}
