package snapshot

import (
	"maps"
	"slices"
)

// Seal sorts the records, keeps the dependents that belong to Spark, indexes the owners and returns the snapshot.
// The builder must not be used afterwards.
func (b *Builder) Seal() *Snapshot {
	named, owned, owners := b.names(), b.launched(), b.tables.of(Owners)
	for _, t := range b.tables {
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
