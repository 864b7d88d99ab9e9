package collect

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// wantedOwners are the references of one kind that the first round did not resolve.
type wantedOwners struct {
	uids map[string]bool
	keys map[snapshot.Key]bool // where the garbage collector looks: in the dependent's namespace
}

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
func (g *gatherer) ownerKind(ctx context.Context, gk snapshot.GroupKind, w wantedOwners) snapshot.OwnerKind {
	res, err := g.served.find(gk, "")
	switch {
	case errors.Is(err, errNotServed):
		return snapshot.OwnerKind{Coverage: snapshot.Coverage{State: snapshot.NotServed}}
	case err != nil:
		return snapshot.OwnerKind{Served: true, Namespaced: true, Coverage: unseeable("list", gk.String(), "", err)}
	}
	kind := snapshot.OwnerKind{Served: true, Namespaced: res.namespaced, Coverage: snapshot.Coverage{State: snapshot.Complete}}
	switch {
	case len(w.uids) == 0:
		return kind
	case !res.listable:
		kind.Coverage = unseeable("list", res.full(), "", errors.New("the API does not list it"))
		return kind
	}
	src := snapshot.Source{View: snapshot.Owners, Group: res.group, Version: res.version, Resource: res.name, Kind: gk.Kind, Encoding: snapshot.Metadata, PageBytes: 2 << 10}
	l := g.lister(src, res)
	l.keep = func(r snapshot.Record) bool {
		o, ok := r.(*snapshot.Object)
		if !ok {
			return false
		}
		o.APIVersion, o.Kind = src.APIVersion(), gk.Kind
		return w.uids[o.UID] || w.keys[o.Key()]
	}
	kind.Coverage = g.list(ctx, l, nil)
	return kind
}

// wantedOwners returns what ownerReferences name and the first round did not find, for every kind that they name.
func (g *gatherer) wantedOwners() map[snapshot.GroupKind]wantedOwners {
	g.mu.Lock()
	defer g.mu.Unlock()
	wanted := map[snapshot.GroupKind]wantedOwners{}
	missing := map[string]bool{}
	for _, ref := range g.b.References() {
		if gk := ref.GroupKind(); wanted[gk].uids == nil {
			wanted[gk] = wantedOwners{map[string]bool{}, map[snapshot.Key]bool{}}
		}
		missing[ref.UID] = true
	}
	for held := range g.b.Held() {
		delete(missing, held.UID)
	}
	for dependent, ref := range g.b.References() {
		if !missing[ref.UID] {
			continue
		}
		gk := ref.GroupKind()
		wanted[gk].uids[ref.UID] = true
		for _, namespace := range []string{dependent.Namespace, ""} {
			wanted[gk].keys[snapshot.Key{GroupKind: gk, Namespace: namespace, Name: ref.Name}] = true
		}
	}
	return wanted
}
