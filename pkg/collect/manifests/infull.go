package manifests

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// inFull keeps objects in full, for the case file of an application. Its zero value keeps nothing.
type inFull struct {
	wanted func(*snapshot.Whole) bool // nil: none
	byKind map[snapshot.GroupKind]snapshot.Source
	seen   map[snapshot.View]bool
	bad    map[snapshot.View][]undecoded
	kept   []*snapshot.Whole
}

func newInFull(wanted func(*snapshot.Whole) bool) inFull {
	f := inFull{wanted: wanted, byKind: map[snapshot.GroupKind]snapshot.Source{}, seen: map[snapshot.View]bool{},
		bad: map[snapshot.View][]undecoded{}}
	for _, src := range snapshot.WholeSources() {
		if src.View == snapshot.WholeNeighbors {
			continue // a pod that is nobody's
		}
		for _, one := range src.InGroups() {
			f.byKind[one.GroupKind()] = one
		}
	}
	return f
}

// keep puts an object into its view, if it is wanted; a pod that is not wanted is a neighbor on its node.
func (b *builder) keep(h head, item wire.Item, c *copied) {
	src, is := b.inFull.byKind[h.groupKind()]
	if b.inFull.wanted == nil || !is {
		return
	}
	b.inFull.seen[src.View] = true
	w, err := whole.Of(src, item.Raw, item.Location)
	if err != nil {
		b.inFull.bad[src.View] = append(b.inFull.bad[src.View], undecoded{c, undecodable(src.Resource, nil, item.Location, err)})
		return
	}
	if b.inFull.wanted(w) {
		b.put(src.View, w, c)
		b.inFull.kept = append(b.inFull.kept, w)
		return
	}
	if src.View != snapshot.WholePods {
		return
	}
	neighbor, _ := snapshot.SourceOf(snapshot.WholeNeighbors)
	if w, err = whole.Of(neighbor, item.Raw, item.Location); err == nil {
		b.put(neighbor.View, w, c)
	}
}

// coverInFull says how much of these views the files held.
func (b *builder) coverInFull(o Options) {
	if b.inFull.wanted == nil {
		return
	}
	cover := func(v snapshot.View, seen bool) {
		c := snapshot.Coverage{State: snapshot.Complete}
		if !seen && !o.Complete {
			c.State = snapshot.NotInput
		}
		if bad := judged(b.inFull.bad[v]); len(bad) > 0 {
			c.State, c.Unseen = snapshot.Partial, bad
		}
		b.Cover(v, c)
	}
	for _, src := range snapshot.WholeSources() {
		cover(src.View, b.inFull.seen[src.View] || src.View == snapshot.WholeNeighbors && b.inFull.seen[snapshot.WholePods])
	}
	cover(snapshot.ApplicationLogs, b.logs > 0)
}
