package collect

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// seal says how much of each view the files held, and when they were taken.
func (b *fileBuilder) seal(o FileOptions) *snapshot.Snapshot {
	for _, src := range snapshot.Sources() {
		c := snapshot.Coverage{State: snapshot.Complete}
		if !b.present[src.View] && !o.Complete {
			c.State = snapshot.NotInput
		}
		if bad := b.bad[src.View]; len(bad) > 0 {
			c.State, c.Unseen = snapshot.Partial, bad
		}
		b.Cover(src.View, c)
	}
	owners := snapshot.Coverage{State: snapshot.Complete}
	for _, ref := range b.References() {
		gk := ref.GroupKind()
		kind := snapshot.OwnerKind{Served: true, Namespaced: true, Coverage: snapshot.Coverage{State: snapshot.NotInput}}
		if o.Complete {
			kind.Coverage.State = snapshot.Complete
		}
		if bad := b.badOwners[gk]; len(bad) > 0 {
			kind.Coverage = snapshot.Coverage{State: snapshot.Partial, Unseen: bad}
			owners.State, owners.Unseen = snapshot.Partial, append(owners.Unseen, bad...)
		}
		b.CoverOwnerKind(gk, kind)
	}
	b.Cover(snapshot.Owners, owners)
	b.SetTime(b.takenAt(o))
	return b.Seal()
}

// takenAt is the time at which the files show the cluster. A dump may be read long after it was made, so without
// --as-of it is the latest time that the objects themselves carry: too early hides, too late would accuse.
func (b *fileBuilder) takenAt(o FileOptions) time.Time {
	if !o.AsOf.IsZero() {
		return o.AsOf
	}
	if latest := b.Latest(o.Now); !latest.IsZero() {
		b.input.Dated = true
		return latest
	}
	return o.Now
}
