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
	out.records.dependents = maps.Clone(s.records.dependents)
	for _, u := range updates {
		out.owners.update(u)
		rec := &out.records
		switch u.View {
		case SparkApplications:
			rec.applications = replace(rec.applications, u)
		case SparkPods:
			rec.pods = replace(rec.pods, u)
		case ScheduledSparkApplications:
			rec.scheduled = replace(rec.scheduled, u)
		case SparkConnects:
			rec.connects = replace(rec.connects, u)
		case Deployments:
			rec.deployments = replace(rec.deployments, u)
		case MutatingWebhooks:
			rec.mutating = replace(rec.mutating, u)
		case ValidatingWebhooks:
			rec.validating = replace(rec.validating, u)
		case WebhookServices:
			rec.services = replace(rec.services, u)
		case WebhookEndpoints:
			rec.endpoints = replace(rec.endpoints, u)
		default:
			if list, ok := rec.dependents[u.View]; ok {
				rec.dependents[u.View] = replace(list, u)
			}
		}
	}
	return &out
}

// replace returns a copy of a list in which the object of an update is as fetched, added or left out.
func replace[T any, P interface {
	*T
	Record
}](list []T, u Update) []T {
	out := slices.Clone(list)
	fresh, _ := u.Record.(P)
	i := slices.IndexFunc(out, func(r T) bool { return P(&r).object().Key() == u.Ref.Key() })
	switch {
	case fresh == nil && i >= 0:
		return slices.Delete(out, i, i+1)
	case fresh == nil:
		return out
	case i >= 0:
		out[i] = *fresh
	default:
		out = append(out, *fresh)
	}
	return out
}

func (o *Ownership) update(u Update) {
	if old := o.byKey[u.Ref.Key()]; old != nil {
		delete(o.byUID, old.UID)
		delete(o.byKey, u.Ref.Key())
	}
	if u.Record == nil {
		return
	}
	fresh := u.Record.object()
	o.byKey[fresh.Key()], o.byUID[fresh.UID] = fresh, fresh
}

// ViewOf returns the view of the first round that lists objects of a kind, or Owners.
func ViewOf(gk GroupKind) View {
	for _, src := range Sources() {
		if src.GroupKind() == gk {
			return src.View
		}
	}
	return Owners
}
