package snapshot

import (
	"cmp"
	"maps"
	"slices"
)

// Reference is an ownerReference together with the object that carries it.
type Reference struct {
	Dependent Key
	Owner     OwnerReference
}

// OwnerKind is what is known of a kind that ownerReferences name.
type OwnerKind struct {
	Served     bool // false: the API server does not know the kind, so the garbage collector can not judge it
	Namespaced bool
	Coverage   Coverage
}

// Ownership finds owners by UID and by name. The zero value knows nothing.
type Ownership struct {
	byUID map[string]*Object
	byKey map[Key]*Object
	kinds map[GroupKind]OwnerKind
}

// Verdict says what the garbage collector will find behind an ownerReference.
type Verdict int

const (
	Unjudged   Verdict = iota // the kind could not be looked at, or only in part: nothing is claimed
	Solid                     // the owner is there, in the same namespace or cluster-scoped
	Foreign                   // the owner lives in another namespace
	Replaced                  // an object of that name is there, with another UID
	Missing                   // neither in the namespace nor, by UID, anywhere
	Unservable                // the owner's kind is not served, so the reference is never resolved
)

// Resolution is a verdict with the object it rests on: the owner itself, the owner in the other namespace, or the
// object that took its name.
type Resolution struct {
	Verdict Verdict
	Owner   *Object
}

// Resolve says what is behind a reference of a dependent. References carry no namespace, so only a UID that is
// found elsewhere proves a foreign owner, and only a kind that was seen in full proves a missing one.
func (o Ownership) Resolve(dependent *Object, ref OwnerReference) Resolution {
	if found := o.byUID[ref.UID]; found != nil && found.Kind == ref.Kind && found.Group() == groupOf(ref.APIVersion) {
		if found.Namespace == "" || found.Namespace == dependent.Namespace {
			return Resolution{Solid, found}
		}
		return Resolution{Foreign, found}
	}
	kind, known := o.kinds[ref.GroupKind()]
	if known && !kind.Served {
		return Resolution{Verdict: Unservable}
	}
	namespace := dependent.Namespace
	if known && !kind.Namespaced {
		namespace = ""
	}
	if found := o.byKey[Key{GroupKind: ref.GroupKind(), Namespace: namespace, Name: ref.Name}]; found != nil && found.UID != "" {
		return Resolution{Replaced, found}
	}
	if known && kind.Coverage.Covers(namespace) {
		return Resolution{Verdict: Missing}
	}
	return Resolution{Verdict: Unjudged}
}

// Kind returns what is known of an owner kind.
func (o Ownership) Kind(gk GroupKind) (OwnerKind, bool) { k, ok := o.kinds[gk]; return k, ok }

func (o *Ownership) index(one *Object) {
	if one.UID != "" {
		o.byUID[one.UID] = one
	}
	o.byKey[one.Key()] = one
}

// foundIn returns what is still found of a table of owners. Of two with one name, or one UID, the one that is found by it comes last, so
// that it is found again when an archive is read.
func (o *Ownership) foundIn(t table) table {
	owners := map[*Object]int{}
	t.each(func(r Record) bool {
		one := r.object()
		for _, found := range []*Object{o.byUID[one.UID], o.byKey[one.Key()]} {
			if found == one {
				owners[one]++
			}
		}
		return true
	})
	list := slices.SortedFunc(maps.Keys(owners), func(a, b *Object) int { return cmp.Or(cmp.Compare(owners[a], owners[b]), a.Compare(b.Ref)) })
	return &tableOf[Object, *Object]{form: inPlace, list: list}
}
