package collect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// parallelListings bounds how many views are listed at once.
const parallelListings = 4

// ClusterOptions say what to read from a cluster.
type ClusterOptions struct {
	Needs      []snapshot.Need
	Namespaces []string // read views of scope InNamespace in these only; nil: everywhere
	Fallback   []string // namespaces to try where a listing across all namespaces is forbidden
	ChunkSize  int64    // items of a page; 0: as many as make up 16 MiB
	Probe      bool     // greet the webhook's replicas, if a need asks for what they serve
	Logs       bool     // read the operator's logs, if a need asks for them
	Progress   func(Progress)
	Now        func() time.Time // used where the server does not say
}

// Progress is told while a listing goes on.
type Progress struct {
	View  snapshot.View
	Items int
	Done  bool
}

// Cluster reads what the needs ask for, in two rounds, and returns the snapshot and a reader that fetches single
// objects again. An error means that nothing could be read at all; what could not be read is in the coverage.
func Cluster(ctx context.Context, config *rest.Config, o ClusterOptions) (*snapshot.Snapshot, *Again, error) {
	c, err := newClient(config)
	if err != nil {
		return nil, nil, err
	}
	s, err := discover(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	g := &gatherer{c: c, served: s, o: o, b: snapshot.NewBuilder(c.date.now(o.Now()))}
	g.b.FromServer()
	g.b.Asked(o.Namespaces)
	if err := g.firstRound(ctx); err != nil {
		return nil, nil, err
	}
	if err := g.secondRound(ctx); err != nil {
		return nil, nil, err
	}
	if o.Probe && g.needs(snapshot.ServedCertificates) {
		if err := g.probe(ctx, config); err != nil {
			return nil, nil, err
		}
	}
	if o.Logs && g.needs(snapshot.OperatorLogs) {
		if err := g.logs(ctx); err != nil {
			return nil, nil, err
		}
	}
	return g.b.Seal(), &Again{c: c, served: s}, nil
}

func (g *gatherer) needs(v snapshot.View) bool {
	return slices.ContainsFunc(g.o.Needs, func(n snapshot.Need) bool { return n.View == v })
}

type gatherer struct {
	c      *client
	served *served
	o      ClusterOptions

	mu         sync.Mutex // guards what follows
	b          *snapshot.Builder
	namespaces []string // cached: the namespaces that the user may list
	listedNS   bool
}

// firstRound lists the views that need nothing else to be known, several at once.
func (g *gatherer) firstRound(ctx context.Context) error {
	needs := map[snapshot.View]snapshot.Need{}
	for _, n := range g.o.Needs {
		needs[n.View] = n
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelListings)
	for _, src := range snapshot.Sources() {
		need, wanted := needs[src.View]
		if !wanted {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			g.view(ctx, src, need)
			if ctx.Err() == nil {
				g.progress(Progress{View: src.View, Done: true})
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// view lists one view and records how much of it was seen.
func (g *gatherer) view(ctx context.Context, src snapshot.Source, need snapshot.Need) {
	version := src.Version
	if src.Encoding == snapshot.Metadata {
		version = "" // metadata is the same in all
	}
	res, err := g.served.find(src.GroupKind(), version)
	switch {
	case errors.Is(err, errNotServed):
		g.cover(src.View, snapshot.Coverage{State: snapshot.NotServed})
		return
	case err != nil:
		g.cover(src.View, unseeable("list", resource{group: src.Group, name: src.Resource}.full(), "", err))
		return
	}
	l := lister{c: g.c, chunkSize: g.o.ChunkSize, src: src, res: res}
	only := g.o.Namespaces
	if need.Scope == snapshot.Everywhere || !src.Namespaced {
		only = nil
	}
	g.cover(src.View, g.list(ctx, l, only, func(r snapshot.Record) { g.b.Add(src.View, r) }))
}

// list reads a listing into add: across all namespaces, or in some, or, where the former is forbidden, in those that
// the user may read.
func (g *gatherer) list(ctx context.Context, l lister, only []string, add func(snapshot.Record)) snapshot.Coverage {
	if only != nil {
		return g.listIn(ctx, l, only, add, snapshot.Coverage{State: snapshot.Complete})
	}
	cover, err := g.listOne(ctx, l, add)
	if !apierrors.IsForbidden(err) || !l.res.namespaced {
		return cover
	}
	namespaces := g.readableNamespaces(ctx)
	if len(namespaces) == 0 {
		return cover
	}
	return g.listIn(ctx, l, namespaces, add, snapshot.Coverage{State: snapshot.Partial, Unseen: cover.Unseen})
}

func (g *gatherer) listIn(ctx context.Context, l lister, namespaces []string, add func(snapshot.Record), cover snapshot.Coverage) snapshot.Coverage {
	cover.Namespaces = []string{}
	readable := false
	for _, ns := range namespaces {
		l.namespace = ns
		one, _ := g.listOne(ctx, l, add)
		cover.Unseen = append(cover.Unseen, one.Unseen...)
		readable = readable || one.Readable()
		if one.State == snapshot.Complete {
			cover.Namespaces = append(cover.Namespaces, ns)
		}
	}
	switch {
	case !readable:
		cover.State = snapshot.Unseeable
	case len(cover.Unseen) > 0:
		cover.State = snapshot.Partial
	}
	return cover
}

// listOne reads one listing in one scope.
func (g *gatherer) listOne(ctx context.Context, l lister, add func(snapshot.Record)) (snapshot.Coverage, error) {
	got, err := l.all(ctx, func(items int) { g.progress(Progress{View: l.src.View, Items: items}) })
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range got.records {
		add(r)
	}
	cover := snapshot.Coverage{State: snapshot.Complete, Unseen: got.bad}
	switch {
	case err != nil && len(got.records) == 0:
		cover = unseeable("list", l.res.full(), l.namespace, err)
	case err != nil:
		cover.State = snapshot.Partial
		cover.Unseen = append(cover.Unseen, snapshot.Unseen{Verb: "list", Resource: l.res.full(), Namespace: l.namespace, Reason: reasonOf(err)})
	case len(got.bad) > 0:
		cover.State = snapshot.Partial
	}
	return cover, err
}

// readableNamespaces returns the namespaces to try one by one.
func (g *gatherer) readableNamespaces(ctx context.Context) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listedNS {
		return g.namespaces
	}
	g.listedNS = true
	src := snapshot.Source{View: "namespaces", Version: "v1", Resource: "namespaces", Kind: "Namespace", Encoding: snapshot.Metadata, PageBytes: 1 << 10}
	l := lister{c: g.c, src: src, res: resource{version: "v1", name: "namespaces"}}
	found, err := l.all(ctx, func(int) {})
	g.namespaces = slices.Clone(g.o.Fallback)
	if err == nil {
		for _, r := range found.records {
			if o, ok := r.(*snapshot.Object); ok {
				g.namespaces = append(g.namespaces, o.Name)
			}
		}
	}
	slices.Sort(g.namespaces)
	g.namespaces = slices.Compact(g.namespaces)
	return g.namespaces
}

func (g *gatherer) cover(v snapshot.View, c snapshot.Coverage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.b.Cover(v, c)
}

func (g *gatherer) progress(p Progress) {
	if g.o.Progress != nil {
		g.o.Progress(p)
	}
}

func unseeable(verb, resource, namespace string, err error) snapshot.Coverage {
	return snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{{Verb: verb, Resource: resource, Namespace: namespace, Reason: reasonOf(err)}}}
}
