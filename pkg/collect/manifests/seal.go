package manifests

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// seal drops what newer copies replace, and says how much of each view the files held, and when they were taken.
func (b *builder) seal(o Options) *snapshot.Snapshot {
	b.Drop(b.copies.superseded)
	for _, src := range snapshot.Sources() {
		c := snapshot.Coverage{State: snapshot.Complete}
		if !b.present[src.View] && !o.Complete {
			c.State = snapshot.NotInput
		}
		if bad := judged(b.bad[src.View]); len(bad) > 0 {
			c.State, c.Unseen = snapshot.Partial, bad
		}
		b.Cover(src.View, c)
	}
	owners := snapshot.Coverage{State: snapshot.Complete}
	named := slices.SortedFunc(maps.Keys(b.Wanted()), func(x, y snapshot.GroupKind) int { return cmp.Compare(x.String(), y.String()) })
	for _, gk := range named { // once a kind, not once a reference: each may have thousands that could not be decoded
		kind := b.custom.ownerKind(gk, o.Complete)
		if bad := judged(b.badOwners[gk]); len(bad) > 0 {
			kind.Coverage = snapshot.Coverage{State: snapshot.Partial, Unseen: bad}
			owners.State, owners.Unseen = snapshot.Partial, append(owners.Unseen, bad...)
		}
		b.CoverOwnerKind(gk, kind)
	}
	b.Cover(snapshot.Owners, owners)
	b.coverInFull(o)
	b.SetTime(b.takenAt(o))
	return b.Seal()
}

// takenAt is the time at which the files show the cluster. A dump may be read long after it was made, so without
// --as-of it is the latest time that the objects themselves carry: too early hides, too late would accuse.
func (b *builder) takenAt(o Options) time.Time {
	if !o.AsOf.IsZero() {
		return o.AsOf
	}
	b.clock.see(b.Latest(o.Now))
	if b.clock.latest.IsZero() {
		return o.Now
	}
	b.input.Dated = true
	return b.clock.latest.Truncate(time.Second)
}
