package snapshot

import (
	"maps"
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
