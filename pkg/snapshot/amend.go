package snapshot

import (
	"maps"
	"slices"
)

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
	rec := &out.records
	rec.dependents, rec.lists = maps.Clone(rec.dependents), maps.Clone(rec.lists)
	of := map[View][]Update{}
	for _, u := range updates {
		if u.Record != nil {
			clean(u.Record)
		}
		of[u.View] = append(of[u.View], u)
	}
	for v, updates := range of {
		switch v {
		case SparkApplications:
			rec.applications = rec.applications.replaced(updates)
		case SparkPods:
			rec.pods = rec.pods.replaced(updates)
			rec.jobs = jobsOf(rec.pods)
		default:
			if list, ok := rec.dependents[v]; ok {
				rec.dependents[v] = replace(list, updates)
			} else if v != Owners && !dependent(v) {
				rec.lists.replace(v, updates)
			}
		}
	}
	for _, u := range updates {
		out.owners.update(u)
	}
	out.adopt(updates)
	return &out
}

// replace returns a copy of a sorted list in which the objects of updates are as fetched, added or left out.
func replace[T any, P record[T]](list []T, updates []Update) []T {
	out := slices.Clone(list)
	for _, u := range updates {
		fresh, _ := u.Record.(P)
		at, found := find[T, P](out, u.Ref.Key())
		switch {
		case fresh == nil && found:
			out = slices.Delete(out, at, at+1)
		case fresh == nil:
		case found:
			out[at] = *fresh
		default:
			out = slices.Insert(out, at, *fresh)
		}
	}
	return out
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
	n := newNames(0)
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
	for one := range s.records.owners() {
		if n.has(one) && s.owners.byKey[one.Key()] == nil {
			s.owners.index(one)
		}
	}
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
