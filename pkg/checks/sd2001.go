package checks

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func crossNamespaceOwner() Check {
	return Check{
		ID: "SD2001", Slug: "cross-namespace-owner", Since: "0.1.0",
		Title:   "a Spark object is owned by an object in another namespace",
		Next:    "remove the ownerReference, or create the object in its owner's namespace, before the garbage collector deletes it",
		Needs:   append(sparkObjectNeeds(), snapshot.Need{View: snapshot.Owners, Role: snapshot.Compared, Scope: snapshot.Everywhere}),
		Repairs: strips(),
		Run: func(s *snapshot.Snapshot, _ Params) Answer {
			var a Answer
			owners := s.Ownership()
			var fine *snapshot.Object // the one before, if nothing was found: executors share their owners
			for o := range sparkObjects(s) {
				if fine != nil && fine.Namespace == o.Namespace && snapshot.SameOwners(fine.Owners, o.Owners) {
					continue
				}
				fine = o
				for i, ref := range o.Owners {
					if got := owners.Resolve(o, ref); got.Verdict == snapshot.Foreign {
						a.Findings, fine = append(a.Findings, foreignOwner(owners, o, i, got.Owner)), nil
					}
				}
			}
			return a
		},
	}
}

// foreignOwner states the finding. The garbage collector looks an owner up in the dependent's namespace, so a
// foreign one is absent to it: it deletes the dependent, unless another owner is solid, in which case it only
// strips the reference (kubernetes pkg/controller/garbagecollector/garbagecollector.go, measured on 1.36: 0.14 s).
func foreignOwner(owners snapshot.Ownership, o *snapshot.Object, i int, owner *snapshot.Object) Finding {
	ref := o.Owners[i]
	f := Finding{
		Object: o.Ref, Location: o.Location, Labels: o.Labels, App: appOf(o), Severity: Error,
		Field:   fmt.Sprintf("metadata.ownerReferences[%d]", i),
		Message: fmt.Sprintf("owner %s %q lives in namespace %q, not in %q: the garbage collector deletes this %s", ref.Kind, ref.Name, owner.Namespace, o.Namespace, o.Kind),
		Evidence: []Evidence{
			{Object: o.Ref, Field: fmt.Sprintf("metadata.ownerReferences[%d].uid", i), Value: ref.UID},
			{Object: owner.Ref, Field: "metadata.uid", Value: owner.UID},
		},
		Related: []snapshot.Ref{owner.Ref},
		What:    ref.Kind + "/" + ref.Name,
		Fixes:   strip(o, ref, owner.Namespace, owners),
	}
	if hasSolidOwner(owners, o) {
		f.Severity = Warning
		f.Message = fmt.Sprintf("owner %s %q lives in namespace %q, not in %q: the garbage collector drops the reference, another owner holds this %s", ref.Kind, ref.Name, owner.Namespace, o.Namespace, o.Kind)
	}
	return f
}

func hasSolidOwner(owners snapshot.Ownership, o *snapshot.Object) bool {
	for _, ref := range o.Owners {
		if owners.Resolve(o, ref).Verdict == snapshot.Solid {
			return true
		}
	}
	return false
}
