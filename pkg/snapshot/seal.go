package snapshot

import (
	"maps"
	"slices"
)

// Seal sorts the records, keeps the dependents that belong to Spark, indexes the owners and returns the snapshot.
// The builder must not be used afterwards.
func (b *Builder) Seal() *Snapshot {
	named := b.names()
	owned := b.launched()
	owners := b.tables.of(Owners)
	for _, v := range slices.Sorted(maps.Keys(b.tables)) {
		t := b.tables[v]
		if t.role().isDependent() {
			t.drop(func(o *Object) bool {
				if belongs(o, owned) {
					return false
				}
				if named.has(o) { // owns a Spark object and is no part of one
					owners.add(o)
				}
				return true
			})
		}
		if t != owners {
			t.seal()
		}
	}
	b.s.owners = b.ownership(named)
	b.tables[Owners] = b.s.owners.foundIn(owners)
	maps.DeleteFunc(b.tables, func(_ View, t table) bool { return t.len() == 0 })
	b.s.records = recordsIn(b.tables)
	b.tables, b.known = nil, nil // the builder lives as long as the snapshot in it
	return &b.s
}

// launched returns which of the UIDs that own dependents are Spark pods': few, for labels tell of most dependents.
func (b *Builder) launched() map[string]bool {
	launched := map[string]bool{}
	b.tables.each(ownerRole.isDependent, func(o *Object) bool {
		if !belongs(o, nil) {
			for _, owner := range o.Owners {
				launched[owner.UID] = false
			}
		}
		return true
	})
	for pod := range tableIn[Pod](b.tables, SparkPods).records {
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

// Update is one object as it was when it was fetched again. A nil record means that it is gone.
type Update struct {
	View   View
	Ref    Ref
	Record Record
}

// Amend returns a snapshot in which the updated objects are as they were fetched, so that a check which runs again
// judges the newer state, and an archive of the snapshot replays the same verdict.
func (s *Snapshot) Amend(updates []Update) *Snapshot {
	out := *s
	out.owners = Ownership{byUID: maps.Clone(s.owners.byUID), byKey: maps.Clone(s.owners.byKey), kinds: s.owners.kinds}
	of := map[View][]Update{}
	for _, u := range updates {
		if u.Record != nil {
			Clean(u.Record)
		}
		of[u.View] = append(of[u.View], u)
	}
	all := maps.Clone(s.records.tables)
	for v, updates := range of {
		all[v] = all.of(v).replaced(updates)
	}
	out.records = recordsIn(all)
	for _, u := range updates {
		out.owners.update(u)
	}
	out.adopt(updates)
	return &out
}

func (o *Ownership) update(u Update) {
	if old := o.byKey[u.Ref.Key()]; old != nil {
		delete(o.byUID, old.UID)
		delete(o.byKey, u.Ref.Key())
	}
	if u.Record != nil {
		o.index(u.Record.object())
	}
}

// adopt indexes what updated objects name as owners for the first time, if it was seen.
func (s *Snapshot) adopt(updates []Update) {
	n := &names{uids: map[string]named{}, keys: map[Key]bool{}}
	for _, u := range updates {
		if u.Record == nil {
			continue
		}
		dependent := u.Record.object()
		for i := range dependent.Owners {
			if ref := &dependent.Owners[i]; s.owners.byUID[ref.UID] == nil {
				n.uids[ref.UID] = named{}
				n.add(dependent, ref)
			}
		}
	}
	if len(n.keys) == 0 {
		return
	}
	s.records.owners(func(one *Object) bool {
		if n.has(one) && s.owners.byKey[one.Key()] == nil {
			s.owners.index(one)
		}
		return true
	})
}

// ViewOf returns the view that lists objects of a kind, or Owners.
func ViewOf(gk GroupKind) View {
	for _, src := range ListedSources() {
		if src.GroupKind() == gk {
			return src.View
		}
	}
	return Owners
}
