package collect

import (
	"context"
	"slices"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// parallelViews bounds how many views are read at once.
const parallelViews = 4

// step reads one view, as soon as the views are there that name what is to be read.
type step struct {
	view  snapshot.View
	after []snapshot.View
	read  func(context.Context)
}

// gather reads the views that are needed. A large listing takes many times as long as the small ones that name other
// objects, which are therefore not kept waiting for it.
func (g *gatherer) gather(ctx context.Context) error {
	listed, named := g.steps()
	done := map[snapshot.View]chan struct{}{}
	for _, s := range append(listed, named...) {
		done[s.view] = make(chan struct{})
	}
	g.progress(Progress{Of: len(done)})
	slots := make(chan struct{}, parallelViews)
	var wg sync.WaitGroup
	read := func(s step) {
		defer close(done[s.view])
		defer func() { <-slots }()
		s.read(ctx)
		if ctx.Err() == nil {
			g.progress(Progress{View: s.view, Done: true})
		}
	}
	for _, s := range named {
		wg.Go(func() {
			for _, v := range s.after {
				if c, wanted := done[v]; wanted {
					<-c
				}
			}
			slots <- struct{}{}
			read(s)
		})
	}
	for _, s := range listed { // in their order: see snapshot.Sources
		slots <- struct{}{}
		wg.Go(func() { read(s) })
	}
	wg.Wait()
	return ctx.Err()
}

// steps are the views that are listed as a whole, and those of which only named parts are read.
func (g *gatherer) steps() (listed, named []step) {
	needs := map[snapshot.View]snapshot.Need{}
	for _, n := range g.o.Needs {
		needs[n.View] = n
	}
	var all []snapshot.View
	for _, src := range snapshot.ListedSources() {
		all = append(all, src.View)
		if need, wanted := needs[src.View]; wanted {
			listed = append(listed, step{view: src.View, read: func(ctx context.Context) { g.view(ctx, src, need) }})
		}
	}
	for _, v := range snapshot.ApacheViews() {
		if need, wanted := needs[v]; wanted {
			src, _ := snapshot.SourceOf(v)
			listed = append(listed, step{view: v, read: func(ctx context.Context) { g.apache(ctx, src, need) }})
		}
	}
	gets := func(v snapshot.View, keys func() []snapshot.Key) func(context.Context) {
		return func(ctx context.Context) { g.gets(ctx, v, keys()) }
	}
	byName := func(v snapshot.View, keys func() []snapshot.Key) func(context.Context) {
		return func(ctx context.Context) { g.byName(ctx, v, keys()) }
	}
	webhooks := []snapshot.View{snapshot.Deployments, snapshot.MutatingWebhooks, snapshot.ValidatingWebhooks}
	accounts := []snapshot.View{snapshot.Deployments, snapshot.SparkApplications, snapshot.SparkConnects}
	bindings := append(slices.Clone(accounts), snapshot.RoleBindings, snapshot.ClusterRoleBindings)
	for _, s := range []step{
		{snapshot.OperatorCRDs, nil, gets(snapshot.OperatorCRDs, crds)},
		{snapshot.CRDRules, nil, gets(snapshot.CRDRules, crds)},
		{snapshot.OperatorPods, webhooks[:1], g.operatorPods},
		{snapshot.WebhookSecrets, webhooks[:1], gets(snapshot.WebhookSecrets, g.webhookSecrets)},
		{snapshot.Nodes, []snapshot.View{snapshot.SparkPods}, byName(snapshot.Nodes, g.driverNodes)},
		{snapshot.HookJobs, webhooks[:1], gets(snapshot.HookJobs, g.hookJobs)},
		{snapshot.Leases, webhooks[:1], gets(snapshot.Leases, g.leases)},
		{snapshot.WebhookServices, webhooks, gets(snapshot.WebhookServices, g.webhookServices)},
		{snapshot.WebhookEndpoints, webhooks, g.endpoints},
		{snapshot.ServiceAccounts, accounts, byName(snapshot.ServiceAccounts, g.driverAccounts)},
		{snapshot.Roles, bindings, byName(snapshot.Roles, func() []snapshot.Key { return g.boundRoles("Role") })},
		{snapshot.ClusterRoles, bindings, byName(snapshot.ClusterRoles, func() []snapshot.Key { return g.boundRoles("ClusterRole") })},
		{snapshot.Owners, all, g.owners},
	} {
		if _, wanted := needs[s.view]; wanted {
			named = append(named, s)
		}
	}
	return listed, named
}
