package snapshot

import (
	"slices"
	"strings"
)

// Seal sorts the records, keeps the dependents that belong to Spark, indexes the owners and returns the snapshot.
// The builder must not be used afterwards.
func (b *Builder) Seal() *Snapshot {
	rec := &b.s.records
	sortRecords(rec.applications)
	sortRecords(rec.scheduled)
	sortRecords(rec.connects)
	sortRecords(rec.pods)
	sortRecords(rec.deployments)
	sortRecords(rec.mutating)
	sortRecords(rec.validating)
	sortRecords(rec.endpoints)
	sortRecords(rec.services)
	sortRecords(rec.operatorPods)
	sortRecords(rec.secrets)
	sortRecords(rec.served)
	sortRecords(rec.logs)
	sortRecords(rec.namespaces)
	sortRecords(rec.events)
	for _, list := range rec.workflows {
		sortRecords(list)
	}
	b.keepOwners()
	launched := map[string]bool{}
	for i := range rec.pods {
		launched[rec.pods[i].UID] = true
	}
	named := b.named()
	for v, list := range b.objects {
		var kept []Object
		for i := range list {
			switch o := &list[i]; {
			case belongs(o, launched):
				kept = append(kept, *o)
			case named[o.UID], named[o.Key()]:
				b.sightings = append(b.sightings, *o) // owns a Spark object and is no part of one
			}
		}
		sortRecords(kept)
		rec.dependents[v] = kept
	}
	b.s.owners = b.ownership()
	return &b.s
}

// keepOwners remembers the objects of dependent views that own a Spark object, though they belong to none.
func (b *Builder) keepOwners() {
	named, uids := map[Key]bool{}, map[string]bool{}
	for _, ref := range b.References() {
		uids[ref.Owner.UID] = true
		named[Key{GroupKind: ref.Owner.GroupKind(), Namespace: ref.Dependent.Namespace, Name: ref.Owner.Name}] = true
	}
	for _, list := range b.objects {
		for i := range list {
			if uids[list[i].UID] || named[list[i].Key()] {
				b.sightings = append(b.sightings, list[i])
			}
		}
	}
}

// named returns the UIDs and keys of all owners that references name.
func (b *Builder) named() map[any]bool {
	named := map[any]bool{}
	for _, r := range b.References() {
		named[r.Owner.UID] = r.Owner.UID != ""
		named[Key{GroupKind: r.Owner.GroupKind(), Namespace: r.Dependent.Namespace, Name: r.Owner.Name}] = true
	}
	return named
}

func (b *Builder) ownership() Ownership {
	var all []*Object
	for i := range b.sightings {
		all = append(all, &b.sightings[i])
	}
	b.eachSpark(func(o *Object) { all = append(all, o) })
	for _, list := range b.s.records.dependents {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	for _, list := range b.s.records.workflows {
		for i := range list {
			all = append(all, &list[i].Object)
		}
	}
	return newOwnership(b.kinds, all)
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

func sortRecords[T any, P interface {
	*T
	Record
}](list []T) {
	slices.SortFunc(list, func(a, b T) int {
		x, y := P(&a).object(), P(&b).object()
		if c := x.Compare(y.Ref); c != 0 {
			return c
		}
		return strings.Compare(x.Location.File, y.Location.File)
	})
}
