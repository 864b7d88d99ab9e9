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
	rec, named := &b.records, b.names()
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
	launched := b.launched()
	rec.dependents = map[View][]Object{}
	for v, list := range b.objects {
		kept := make([]Object, 0, list.len())
		for o := range list.each {
			switch {
			case belongs(o, launched):
				kept = append(kept, *o)
			case named.has(o):
				b.sightings = append(b.sightings, *o) // owns a Spark object and is no part of one
			}
		}
		if cap(kept) > 2*len(kept) {
			kept = slices.Clone(kept)
		}
		sortRecords(kept)
		rec.dependents[v] = kept
	}
	b.objects = nil
	b.s.records = b.records
	b.s.owners = b.ownership(named)
	b.known = nil // the builder lives as long as the snapshot in it
	return &b.s
}

// launched returns which of the UIDs that own dependents are Spark pods': few, for labels tell of most dependents.
func (b *Builder) launched() map[string]bool {
	launched := map[string]bool{}
	for _, list := range b.objects {
		for o := range list.each {
			if !belongs(o, nil) {
				for _, owner := range o.Owners {
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
