package collect

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// secondRound reads what only the first one could name.
func (g *gatherer) secondRound(ctx context.Context) error {
	for _, n := range g.o.Needs {
		switch n.View {
		case snapshot.Owners:
			g.owners(ctx)
		case snapshot.WebhookServices:
			g.gets(ctx, snapshot.WebhookServices, g.webhookServices())
		case snapshot.WebhookEndpoints:
			g.endpoints(ctx)
		case snapshot.OperatorPods:
			g.operatorPods(ctx)
		case snapshot.WebhookSecrets:
			g.gets(ctx, snapshot.WebhookSecrets, g.webhookSecrets())
		case snapshot.Leases:
			g.gets(ctx, snapshot.Leases, g.leases())
		case snapshot.OperatorCRDs:
			g.gets(ctx, snapshot.OperatorCRDs, crds())
		case snapshot.Roles:
			g.byName(ctx, snapshot.Roles, g.boundRoles("Role"))
		case snapshot.ClusterRoles:
			g.byName(ctx, snapshot.ClusterRoles, g.boundRoles("ClusterRole"))
		case snapshot.ServiceAccounts:
			g.byName(ctx, snapshot.ServiceAccounts, g.driverAccounts())
		}
	}
	return ctx.Err()
}

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
		g.b.CoverOwnerKind(gk, kind)
		if kind.Served && kind.Coverage.State != snapshot.Complete {
			all.State = snapshot.Partial
			all.Unseen = append(all.Unseen, kind.Coverage.Unseen...)
		}
	}
	g.b.Cover(snapshot.Owners, all)
	g.progress(Progress{View: snapshot.Owners, Done: true})
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
