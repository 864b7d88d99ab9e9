package ownership

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func crossNamespaceOwner() check.Check {
	return check.Check{
		ID: "SD2001", Slug: "cross-namespace-owner", Since: "0.1.0", Consequence: check.LosesWork,
		Title:   "a Spark object is owned by an object in another namespace",
		Needs:   append(sparkObjectNeeds(), snapshot.Need{View: snapshot.Owners, Role: snapshot.Compared, Scope: snapshot.Everywhere}),
		Repairs: strips(),
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			owners, unjudged := p.Ownership(), map[string]bool{}
			var fine *snapshot.Object // the one before, if nothing was found: executors share their owners
			for o := range sparkObjects(p.Snapshot) {
				if fine != nil && fine.Namespace == o.Namespace && snapshot.SameOwners(fine.Owners, o.Owners) {
					continue
				}
				fine = o
				known := true
				var others others
				for i, ref := range o.Owners {
					switch got := owners.Resolve(o, ref); got.Verdict {
					case snapshot.CrossNamespace:
						others = others.of(owners, o)
						a.Findings, fine = append(a.Findings, foreignOwner(owners, o, i, got.Owner, others)), nil
					case snapshot.Unjudged:
						known, unjudged[ref.GroupKind().String()] = false, true
					default:
					}
				}
				if known {
					a.Judged++
				}
			}
			a.Unjudged = unjudgedKinds(unjudged)
			return a
		},
	}
}

// foreignOwner states the finding. The garbage collector looks an owner up in the dependent's namespace, so a
// foreign one is absent to it: it deletes the dependent, unless another owner is solid, in which case it only
// strips the reference (kubernetes pkg/controller/garbagecollector/garbagecollector.go, measured on 1.36: 0.14 s).
func foreignOwner(owners snapshot.Ownership, o *snapshot.Object, i int, owner *snapshot.Object, others others) check.Finding {
	ref := o.Owners[i]
	f := check.Finding{
		About: check.Of(o).PartOf(appOf(o)), Severity: check.Error,
		Field: fmt.Sprintf("metadata.ownerReferences[%d]", i),
		Evidence: []check.Evidence{
			{Object: o.Ref, Field: fmt.Sprintf("metadata.ownerReferences[%d].uid", i), Value: ref.UID},
			{Object: owner.Ref, Field: "metadata.uid", Value: owner.UID},
		},
		Related:  []snapshot.Ref{owner.Ref},
		Identity: check.Identity{What: ref.Kind + "/" + ref.Name},
		Fixes:    strip(o, ref, owner.Namespace, owners),
	}
	f.ThenRepair("remove the ownerReference to " + ref.Kind + " " + ref.Name + ", so that the object stays")
	others.collected(&f, o, fmt.Sprintf("owner %s %q lives in namespace %q, not in %q", ref.Kind, ref.Name, owner.Namespace, o.Namespace))
	return f
}

// others names an owner of an object for each verdict, the last one. An object may have thousands.
type others map[snapshot.Verdict]snapshot.OwnerReference

// of returns those of an object, if they are not known.
func (o others) of(owners snapshot.Ownership, dependent *snapshot.Object) others {
	if o != nil {
		return o
	}
	out := others{}
	for _, ref := range dependent.Owners {
		out[owners.Resolve(dependent, ref).Verdict] = ref
	}
	return out
}

// name is empty where no owner has the verdict.
func (o others) name(v snapshot.Verdict) string {
	ref, is := o[v]
	if !is {
		return ""
	}
	return fmt.Sprintf("%s %q", ref.Kind, ref.Name)
}

// collected says what the garbage collector does about an owner that is absent to it: with another owner that is solid it
// only strips the reference, and where it cannot resolve another it does nothing. One that was not seen may be solid
// (kubernetes pkg/controller/garbagecollector/garbagecollector.go, classifyReferences).
func (o others) collected(f *check.Finding, dependent *snapshot.Object, what string) {
	stuck := o.name(snapshot.Unservable)
	solid := o.name(snapshot.Valid)
	unseen := o.name(snapshot.Unjudged)
	f.Message = what + ": the garbage collector deletes this " + dependent.Kind
	switch {
	case stuck != "":
		f.Severity, f.Message = check.Warning, fmt.Sprintf("%s; the garbage collector cannot resolve owner %s either, and never deletes this %s",
			what, stuck, dependent.Kind)
	case solid != "":
		f.Severity, f.Message = check.Warning, what+": the garbage collector drops the reference, another owner keeps this "+dependent.Kind
	case unseen != "":
		f.Severity, f.Message = check.Warning, f.Message+fmt.Sprintf(", unless owner %s exists, which was not seen", unseen)
	}
}
