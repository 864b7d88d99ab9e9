package collect

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// owners lists metadata of the kinds that ownerReferences name and keeps what they name.
func (g *gatherer) owners(ctx context.Context) {
	wanted := g.wantedOwners()
	all := snapshot.Coverage{State: snapshot.Complete}
	for _, gk := range slices.SortedFunc(maps.Keys(wanted), func(a, b snapshot.GroupKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	}) {
		kind := g.ownerKind(ctx, gk, wanted[gk])
		g.coverOwnerKind(gk, kind)
		if kind.Served && kind.Coverage.State != snapshot.Complete {
			all.State = snapshot.Partial
			all.Unseen = append(all.Unseen, kind.Coverage.Unseen...)
		}
	}
	g.cover(snapshot.Owners, all)
}

// ownerKind lists one kind, unless every reference to it is resolved already.
func (g *gatherer) ownerKind(ctx context.Context, gk snapshot.GroupKind, w snapshot.Wanted) snapshot.OwnerKind {
	res, err := g.served.find(gk, "")
	switch {
	case errors.Is(err, errNotServed):
		return snapshot.OwnerKind{Coverage: snapshot.Coverage{State: snapshot.NotServed}}
	case err != nil:
		return snapshot.OwnerKind{Served: true, Namespaced: true, Coverage: unseeable("list", gk.String(), "", err)}
	}
	kind := snapshot.OwnerKind{Served: true, Namespaced: res.namespaced, Coverage: snapshot.Coverage{State: snapshot.Complete}}
	switch {
	case len(w.UIDs) == 0:
		return kind
	case !res.listable:
		kind.Coverage = unseeable("list", res.full(), "", errors.New("the API does not list it"))
		return kind
	}
	src := snapshot.Source{
		View: snapshot.Owners, Group: res.group, Version: res.version, Resource: res.name, Kind: gk.Kind, Namespaced: res.namespaced,
		Encoding: snapshot.Metadata, PageBytes: 2 << 10,
	}
	l := g.lister(src, res)
	l.keep = func(r snapshot.Record) bool {
		o, ok := r.(*snapshot.Object)
		if !ok {
			return false
		}
		o.APIVersion, o.Kind = src.APIVersion(), gk.Kind
		return w.UIDs[o.UID] || w.Keys[o.Key()]
	}
	kind.Coverage = g.list(ctx, l, nil)
	return kind
}

// wantedOwners returns what ownerReferences name and no listing held.
func (g *gatherer) wantedOwners() map[snapshot.GroupKind]snapshot.Wanted {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.Wanted()
}
