package snapshot

// Wanted is what ownerReferences name of one kind and no record is.
type Wanted struct {
	UIDs map[string]bool
	Keys map[Key]bool // where the garbage collector looks: in the dependent's namespace
}

// Wanted returns for every kind that ownerReferences name what of it is not among the records so far.
func (b *Builder) Wanted() map[GroupKind]Wanted { return b.names().wanted }

// names are what ownerReferences name: all that anybody looks for among the owners. Most pods own nothing. By key an
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
