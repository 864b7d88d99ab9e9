package snapshot

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Seal sorts the records, keeps the dependents that belong to Spark, indexes the owners and returns the snapshot.
// The builder must not be used afterwards.
func (b *Builder) Seal() *Snapshot {
	rec := &b.records
	var pods sync.WaitGroup // nothing is read meanwhile, so that a processor is free
	pods.Go(func() {
		rec.pods = listedOf[Pod, *Pod](&b.early.pods)
		rec.jobs = jobsOf(rec.pods)
	})
	rec.applications = listedOf[SparkApplication, *SparkApplication](&b.early.applications)
	for _, list := range rec.lists {
		list.sort()
	}
	slices.SortFunc(rec.ignored, func(a, b Ignored) int { return cmp.Or(a.Compare(b.Ref), cmp.Compare(a.Text, b.Text)) })
	rec.ignored = slices.CompactFunc(rec.ignored, func(a, b Ignored) bool { return a.Key() == b.Key() && a.Text == b.Text })
	pods.Wait()
	launched, named := b.launched(), b.named()
	rec.dependents = map[View][]Object{}
	for v, list := range b.objects {
		kept := list[:0]
		for i := range list {
			switch o := &list[i]; {
			case belongs(o, launched):
				kept = append(kept, *o)
			case named.has(o):
				b.sightings = append(b.sightings, *o) // owns a Spark object and is no part of one
			}
		}
		clear(list[len(kept):])
		if cap(kept) > 2*len(kept) {
			kept = slices.Clone(kept)
		}
		sortRecords(kept)
		rec.dependents[v] = kept
	}
	b.objects = nil
	b.s.records = b.records
	b.s.owners = b.ownership(named)
	return &b.s
}

// names are what ownerReferences name: all that anybody looks for among the owners. Most pods own nothing. By key an
// owner is looked for only where its UID was not found.
type names struct {
	uids map[string]named
	keys map[Key]bool
}

// named is what references say of a UID, and whether an object of that kind has it.
type named struct {
	kind GroupKind // none if references disagree
	seen bool
}

func (n *names) add(dependent *Object, ref *OwnerReference) {
	for _, namespace := range []string{dependent.Namespace, ""} {
		n.keys[Key{GroupKind: ref.GroupKind(), Namespace: namespace, Name: ref.Name}] = true
	}
}

func (n *names) has(o *Object) bool {
	if _, named := n.uids[o.UID]; named && o.UID != "" {
		return true
	}
	return len(n.keys) > 0 && n.keys[o.Key()]
}

func (b *Builder) named() *names {
	n := &names{make(map[string]named, 2*len(b.applications)), map[Key]bool{}} // most are applications and their drivers
	var last *OwnerReference                                                   // executors of an application share theirs
	for _, ref := range b.References() {
		if ref == last {
			continue
		}
		last = ref
		kind := ref.GroupKind()
		if known, twice := n.uids[ref.UID]; twice && known.kind != kind {
			kind = GroupKind{}
		}
		n.uids[ref.UID] = named{kind: kind}
	}
	for o := range b.Held() {
		if as, ok := n.uids[o.UID]; ok && as.kind == o.GroupKind() {
			n.uids[o.UID] = named{as.kind, true}
		}
	}
	for dependent, ref := range b.References() {
		if !n.uids[ref.UID].seen || ref.UID == "" {
			n.add(dependent, ref)
		}
	}
	return n
}

func (b *Builder) ownership(named *names) Ownership {
	o := Ownership{byUID: make(map[string]*Object, len(named.uids)), byKey: make(map[Key]*Object, len(named.uids)), kinds: b.kinds}
	for i := range b.sightings {
		o.index(&b.sightings[i])
	}
	for one := range b.records.owners() {
		if named.has(one) {
			o.index(one)
		}
	}
	return o
}

// launched returns which of the UIDs that own dependents are Spark pods': few, for labels tell of most dependents.
func (b *Builder) launched() map[string]bool {
	launched := map[string]bool{}
	for _, list := range b.objects {
		for i := range list {
			if !belongs(&list[i], nil) {
				for _, owner := range list[i].Owners {
					launched[owner.UID] = false
				}
			}
		}
	}
	for _, pod := range b.records.pods {
		if _, owns := launched[pod.UID]; owns {
			launched[pod.UID] = true
		}
	}
	return launched
}

// belongs reports whether an object is part of what Spark or the operator makes for an application: by label, or
// by an owner that is a Spark object or a Spark pod. UI Services with custom labels have only the owner
// (internal/controller/sparkapplication/web_ui.go@v2.5.2).
func belongs(o *Object, launched map[string]bool) bool {
	if o.Labels.Has(AppNameLabel) || o.Labels.Has(ConnectNameLabel) || o.Labels.Has(AppSelectorLabel) {
		return true
	}
	return slices.ContainsFunc(o.Owners, func(r OwnerReference) bool {
		return groupOf(r.APIVersion) == SparkGroup || launched[r.UID]
	})
}

// record is a pointer to a record that can be told from others of its kind.
type record[T any] interface {
	*T
	Record
}

func compareObjects(x, y *Object) int {
	return cmp.Or(x.Compare(y.Ref), strings.Compare(x.Location.File, y.Location.File))
}

// sortUnsorted sorts, stably, what is rarely out of order: looking first takes a tenth of the time.
func sortUnsorted[T any](list []T, compare func(a, b T) int) {
	if !slices.IsSortedFunc(list, compare) {
		slices.SortStableFunc(list, compare)
	}
}

// sortRecords sorts by reference. A listing is sorted as a rule; if it is not, references are sorted and each record
// moved once, for records are large.
func sortRecords[T any, P record[T]](list []T) {
	sorted := true
	for i := 1; sorted && i < len(list); i++ {
		sorted = compareObjects(P(&list[i-1]).object(), P(&list[i]).object()) <= 0
	}
	if sorted {
		return
	}
	order := make([]*T, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortStableFunc(order, func(a, b *T) int { return compareObjects(P(a).object(), P(b).object()) })
	out := make([]T, 0, len(list))
	for _, r := range order {
		out = append(out, *r)
	}
	copy(list, out)
}

// find returns where a record is in a sorted list, or belongs.
func find[T any, P record[T]](list []T, key Key) (at int, found bool) {
	ref := key.ref()
	at = sort.Search(len(list), func(i int) bool { return P(&list[i]).object().Compare(ref) >= 0 })
	return at, at < len(list) && P(&list[at]).object().Key() == key
}
