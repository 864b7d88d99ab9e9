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
	Unjudged       Verdict = iota // the kind could not be looked at, or only in part: nothing is claimed
	Valid                         // the owner is there, in the same namespace or cluster-scoped
	CrossNamespace                // the owner lives in another namespace
	Replaced                      // an object of that name is there, with another UID
	Missing                       // neither in the namespace nor, by UID, anywhere
	Unservable                    // the owner's kind is not served, so the reference is never resolved
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
			return Resolution{Valid, found}
		}
		return Resolution{CrossNamespace, found}
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

// Wanted is what ownerReferences name of one kind and no record is.
type Wanted struct {
	UIDs map[string]bool
	Keys map[Key]bool // where the garbage collector looks: in the dependent's namespace
}

// Wanted returns for every kind that ownerReferences name what of it is not among the records so far.
func (b *Builder) Wanted() map[GroupKind]Wanted { return b.names().wanted }

// names are what ownerReferences name: all that is looked up among the owners. Most pods own nothing. By key an
// owner is looked for only where its UID was not found.
type names struct {
	uids   map[string]named
	keys   map[Key]bool
	wanted map[GroupKind]Wanted
}

// named is what references say of a UID, and what has it.
type named struct {
	kind GroupKind // none if references disagree
	held bool      // some record has it
	seen bool      // and is of that kind
}

func (n *names) add(dependent *Object, ref *OwnerReference) {
	for _, key := range keysOf(dependent, ref) {
		n.keys[key] = true
	}
}

// keysOf are under which an owner may be: in the dependent's namespace or in none.
func keysOf(dependent *Object, ref *OwnerReference) [2]Key {
	key := Key{GroupKind: ref.GroupKind(), Name: ref.Name}
	within := key
	within.Namespace = dependent.Namespace
	return [2]Key{within, key}
}

func (n *names) has(o *Object) bool {
	if _, named := n.uids[o.UID]; named && o.UID != "" {
		return true
	}
	return len(n.keys) > 0 && n.keys[o.Key()]
}

// names finds them once for all who ask until more records come.
func (b *Builder) names() *names {
	if b.known != nil {
		return b.known
	}
	n := &names{uids: map[string]named{}, keys: map[Key]bool{}, wanted: map[GroupKind]Wanted{}}
	b.known = n
	var last *OwnerReference // executors of an application share theirs
	for _, ref := range b.References() {
		if ref == last {
			continue
		}
		last = ref
		n.name(ref)
	}
	for o := range b.Held() {
		n.hold(o)
	}
	n.miss(b)
	return n
}

func (n *names) name(ref *OwnerReference) {
	kind := ref.GroupKind()
	if _, known := n.wanted[kind]; !known {
		n.wanted[kind] = Wanted{map[string]bool{}, map[Key]bool{}}
	}
	if known, twice := n.uids[ref.UID]; twice && known.kind != kind {
		kind = GroupKind{}
	}
	n.uids[ref.UID] = named{kind: kind}
}

// hold notes that there is an object.
func (n *names) hold(o *Object) {
	if as, ok := n.uids[o.UID]; ok {
		n.uids[o.UID] = named{as.kind, true, as.seen || as.kind == o.GroupKind()}
	}
}

// miss notes what is named and not there.
func (n *names) miss(b *Builder) {
	var last *OwnerReference
	var namespace string
	for dependent, ref := range b.References() {
		if ref == last && dependent.Namespace == namespace {
			continue
		}
		last, namespace = ref, dependent.Namespace
		as := n.uids[ref.UID]
		if !as.held {
			wanted := n.wanted[ref.GroupKind()]
			wanted.UIDs[ref.UID] = true
			for _, key := range keysOf(dependent, ref) {
				wanted.Keys[key] = true
			}
		}
		if !as.seen || ref.UID == "" {
			n.add(dependent, ref)
		}
	}
}

// ownership indexes what is named. Of two with one name the one that came last is found.
func (b *Builder) ownership(n *names) Ownership {
	o := Ownership{byUID: make(map[string]*Object, len(n.uids)), byKey: make(map[Key]*Object, len(n.uids)), kinds: b.kinds}
	b.tables[Owners].each(func(r Record) bool { o.index(r.object()); return true })
	b.tables.owners(func(one *Object) bool {
		if n.has(one) {
			o.index(one)
		}
		return true
	})
	return o
}
