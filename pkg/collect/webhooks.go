package collect

import (
	"cmp"
	"context"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func (g *gatherer) installations() []operator.Installation {
	g.mu.Lock()
	defer g.mu.Unlock()
	return operator.Find(g.b.Deployments())
}

// webhooks are the installations and the webhook configurations of all programs.
func (g *gatherer) webhooks() ([]operator.Installation, []snapshot.WebhookConfiguration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return operator.Find(g.b.Deployments()), g.b.Webhooks()
}

// webhookServices are the Services that webhooks of the operator call, and those that installations say they serve.
func (g *gatherer) webhookServices() []snapshot.Key {
	installations, webhooks := g.webhooks()
	keys := map[snapshot.Key]bool{}
	for _, in := range installations {
		keys[in.WebhookService()] = true
	}
	for _, c := range webhooks {
		for _, w := range c.Webhooks {
			if operator.OwnsWebhook(installations, w) {
				keys[w.Service] = true
			}
		}
	}
	return sortedKeys(keys)
}

// webhookSecrets are the Secrets that installations name in their arguments.
func (g *gatherer) webhookSecrets() []snapshot.Key {
	keys := map[snapshot.Key]bool{}
	for _, in := range g.installations() {
		keys[in.WebhookSecret()] = true
	}
	return sortedKeys(keys)
}

// leases are those for which the replicas of installations compete.
func (g *gatherer) leases() []snapshot.Key {
	keys := map[snapshot.Key]bool{}
	for _, in := range g.installations() {
		for _, one := range in.Candidates() {
			keys[one.Lease] = true
		}
	}
	return sortedKeys(keys)
}

// hookJobs are those that charts of installations run in an upgrade.
func (g *gatherer) hookJobs() []snapshot.Key {
	keys := map[snapshot.Key]bool{}
	for _, in := range g.installations() {
		keys[in.HookJob()] = true
	}
	return sortedKeys(keys)
}

// driverNodes are the nodes of drivers that do not seem to run.
func (g *gatherer) driverNodes() []snapshot.Key {
	g.mu.Lock()
	defer g.mu.Unlock()
	keys := map[snapshot.Key]bool{}
	for name := range g.b.DriverNodes() {
		keys[snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Node"}, Name: name}] = true
	}
	return sortedKeys(keys)
}

func sortedKeys(keys map[snapshot.Key]bool) []snapshot.Key {
	delete(keys, snapshot.Key{})
	return slices.SortedFunc(maps.Keys(keys), func(a, b snapshot.Key) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// named gathers the coverage of a view of which parts are read one by one: what is forbidden or fails is named.
type named struct {
	cover  snapshot.Coverage
	parts  int
	failed int
}

func (n *named) add(unseen []snapshot.Unseen) {
	n.parts++
	if len(unseen) > 0 {
		n.failed++
		n.cover.Unseen = append(n.cover.Unseen, unseen...)
	}
}

func (n *named) coverage() snapshot.Coverage {
	switch {
	case n.failed == 0:
		n.cover.State = snapshot.Complete
	case n.failed == n.parts:
		n.cover.State = snapshot.Unseeable
	default:
		n.cover.State = snapshot.Partial
	}
	return n.cover
}

// gets reads objects by name, which needs no more than "get" with resourceNames. One that does not exist is absent.
func (g *gatherer) gets(ctx context.Context, v snapshot.View, keys []snapshot.Key) {
	var n named
	src, _ := snapshot.SourceOf(v)
	again := Again{c: g.c, served: g.served}
	for _, key := range keys {
		record, err := again.fetch(ctx, src, snapshot.Ref{APIVersion: src.APIVersion(), Kind: src.Kind, Namespace: key.Namespace, Name: key.Name})
		if err != nil && !apierrors.IsNotFound(err) {
			n.add([]snapshot.Unseen{{Verb: "get", Resource: src.Resource, Namespace: key.Namespace, Name: key.Name, Reason: reasonOf(err)}})
			continue
		}
		n.add(nil)
		if record != nil {
			g.add(v, record)
		}
	}
	g.cover(v, n.coverage())
}

// endpoints reads the EndpointSlices of the webhooks' Services.
func (g *gatherer) endpoints(ctx context.Context) {
	src, _ := snapshot.SourceOf(snapshot.WebhookEndpoints)
	res, err := g.served.find(src.GroupKind(), src.Version)
	if err != nil {
		g.cover(src.View, unseeable("list", resource{group: src.Group, name: src.Resource}.full(), "", err))
		return
	}
	var n named
	for _, service := range g.webhookServices() {
		n.add(g.selected(ctx, src, res, service.Namespace, "kubernetes.io/service-name="+service.Name))
	}
	g.cover(src.View, n.coverage())
}

// operatorPods reads the pods behind the selectors of the operator's Deployments, those of controller and webhook at once.
func (g *gatherer) operatorPods(ctx context.Context) {
	src, _ := snapshot.SourceOf(snapshot.OperatorPods)
	res := resource{version: src.Version, name: src.Resource, namespaced: true, listable: true}
	var n named
	for _, in := range g.installations() {
		for _, selector := range in.PodSelectors() {
			n.add(g.selected(ctx, src, res, in.Namespace, selector.String()))
		}
	}
	g.cover(src.View, n.coverage())
}

// selected lists what a label selector takes in one namespace.
func (g *gatherer) selected(ctx context.Context, src snapshot.Source, res resource, namespace, selector string) []snapshot.Unseen {
	if !validSegment(namespace) {
		return nil // nothing can be there
	}
	l := g.lister(src, res)
	l.namespace, l.selector = namespace, selector
	one, _ := g.listOne(ctx, l)
	return one.Unseen
}
