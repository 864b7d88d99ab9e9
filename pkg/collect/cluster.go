package collect

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ClusterOptions say what to read from a cluster.
type ClusterOptions struct {
	Needs      []snapshot.Need
	Namespaces []string         // read views of scope InNamespace in these only; nil: everywhere
	Fallback   []string         // namespaces to try where a listing across all namespaces is forbidden
	ChunkSize  int64            // items of a page; 0: as many as make up 16 MiB
	QPS        float32          // requests a second; 0: 50
	Burst      int              // requests at once before QPS counts; 0: 100
	Probe      bool             // greet the webhook's replicas, if a need asks for what they serve
	Logs       bool             // read the operator's logs, if a need asks for them
	Schemas    snapshot.Schemas // against which objects are read; nil: none
	Progress   func(Progress)
	Now        func() time.Time // used where the server does not say
	// InFull chooses the applications that are read in full, with their pods and logs, of those that were listed; nil: none.
	InFull func(now time.Time, listed iter.Seq[*snapshot.SparkApplication]) []snapshot.Key
}

// Progress is how far a reading is. It is reported before the first list, during each list, and after it.
type Progress struct {
	View  snapshot.View // empty: none yet
	Items int
	Done  bool
	Of    int // how many lists are read in all; 0: as was told before
}

// Cluster reads what the needs ask for and returns the snapshot and a reader that fetches single
// objects again. An error means that nothing could be read at all; what could not be read is in the coverage.
func Cluster(ctx context.Context, conn *apiserver.Connection, o ClusterOptions) (*snapshot.Snapshot, *Again, error) {
	// A scan makes a few dozen large requests; priority and fairness on the server is the limit that counts.
	c, err := newClient(conn, cmp.Or(o.QPS, 50), cmp.Or(o.Burst, 100))
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
	g.b.Against(o.Schemas)
	if err := g.gather(ctx); err != nil {
		return nil, nil, err
	}
	if o.Probe && g.needs(snapshot.ServedCertificates) {
		if err := g.probe(ctx, conn.Config()); err != nil {
			return nil, nil, err
		}
	}
	if o.Logs && g.needs(snapshot.OperatorLogs) {
		if err := g.logs(ctx); err != nil {
			return nil, nil, err
		}
	}
	if o.InFull != nil {
		for _, key := range o.InFull(c.date.now(o.Now()), g.b.Applications()) {
			r := g.newReader(key.Namespace)
			r.root(ctx, key.Group, key.Kind, key.Name)
			r.rest(ctx)
			r.operator(ctx)
			r.pointed(ctx)
			r.cover()
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
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

	mu sync.Mutex // guards b
	b  *snapshot.Builder

	narrow  map[snapshot.View]narrowing // views of which only what concerns one application is read
	inFull  map[snapshot.View]map[snapshot.Key]bool
	counted []string // nodes of which all pods were read

	namespacesOnce sync.Once
	namespaces     []string // the namespaces that the user may list
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
	only := g.o.Namespaces
	if need.Scope == snapshot.Everywhere || !src.Namespaced {
		only = nil
	}
	if part, is := g.narrow[src.View]; is {
		g.cover(src.View, g.part(ctx, src, res, part))
		return
	}
	g.cover(src.View, g.list(ctx, g.lister(src, res), only))
}

// part reads of a view what concerns one application. Of no namespace it is everything, so that nothing follows from what is missing.
func (g *gatherer) part(ctx context.Context, src snapshot.Source, res resource, part narrowing) snapshot.Coverage {
	cover := snapshot.Coverage{State: snapshot.Partial}
	for _, fields := range part.fields {
		src.FieldSelector = fields
		l := g.lister(src, res)
		l.selector, l.namespace = part.labels, g.o.Namespaces[0]
		one, err := g.listOne(ctx, l)
		cover.Unseen = append(cover.Unseen, one.Unseen...)
		if err != nil && one.State == snapshot.Unseeable {
			cover.State = snapshot.Unseeable
			break
		}
	}
	cover.Namespaces = []string{}
	return cover
}

// list reads a listing into the builder: across all namespaces, or in some, or, where the former is forbidden, in those
// that the user may read.
func (g *gatherer) list(ctx context.Context, l *lister, only []string) snapshot.Coverage {
	if only != nil {
		return g.listIn(ctx, l, only, snapshot.Coverage{State: snapshot.Complete})
	}
	cover, err := g.listOne(ctx, l)
	if !apierrors.IsForbidden(err) || !l.res.namespaced {
		return cover
	}
	namespaces := g.readableNamespaces(ctx)
	if len(namespaces) == 0 {
		return cover
	}
	return g.listIn(ctx, l, namespaces, snapshot.Coverage{State: snapshot.Partial, Unseen: cover.Unseen})
}

func (g *gatherer) listIn(ctx context.Context, l *lister, namespaces []string, cover snapshot.Coverage) snapshot.Coverage {
	cover.Namespaces = []string{}
	readable := false
	for _, ns := range namespaces {
		l.namespace = ns
		one, _ := g.listOne(ctx, l)
		cover.Unseen = append(cover.Unseen, one.Unseen...)
		cover.Resumed = cover.Resumed || one.Resumed
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
func (g *gatherer) listOne(ctx context.Context, l *lister) (snapshot.Coverage, error) {
	cover := snapshot.Coverage{State: snapshot.Complete}
	items := 0
	got, err := l.all(ctx, func(p page) {
		items += p.items
		cover.Unseen = append(cover.Unseen, p.bad...)
		g.take(p.batch)
		g.progress(Progress{View: l.src.View, Items: items})
	})
	cover.Resumed = got.resumed
	switch {
	case err != nil && got.pages == 0:
		cover = unseeable("list", l.res.full(), l.namespace, err)
	case err != nil:
		cover.State = snapshot.Partial
		cover.Unseen = append(cover.Unseen, snapshot.Unseen{Verb: "list", Resource: l.res.full(), Namespace: l.namespace, Reason: reasonOf(err)})
	case len(cover.Unseen) > 0:
		cover.State = snapshot.Partial
	}
	return cover, err
}

func (g *gatherer) take(batch *snapshot.Batch) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.b.Take(batch)
}

// readableNamespaces returns the namespaces to try one by one.
func (g *gatherer) readableNamespaces(ctx context.Context) []string {
	g.namespacesOnce.Do(func() {
		src := snapshot.Source{
			View: "namespaces", Version: "v1", Resource: "namespaces", Kind: "Namespace", Encoding: snapshot.Metadata, PageBytes: 1 << 10,
		}
		l := g.lister(src, resource{version: "v1", name: "namespaces"})
		var found []string
		l.keep = func(r snapshot.Record) bool {
			if o, ok := r.(*snapshot.Object); ok {
				found = append(found, o.Name)
			}
			return false
		}
		if _, err := l.all(ctx, func(page) {}); err != nil {
			found = nil
		}
		g.namespaces = append(found, g.o.Fallback...)
		slices.Sort(g.namespaces)
		g.namespaces = slices.Compact(g.namespaces)
	})
	return g.namespaces
}

func (g *gatherer) cover(v snapshot.View, c snapshot.Coverage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.b.Cover(v, c)
}

func (g *gatherer) coverOwnerKind(gk snapshot.GroupKind, k snapshot.OwnerKind) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.b.CoverOwnerKind(gk, k)
}

func (g *gatherer) add(v snapshot.View, r snapshot.Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.b.Add(v, r)
}

func (g *gatherer) progress(p Progress) {
	if g.o.Progress != nil {
		g.o.Progress(p)
	}
}

func unseeable(verb, resource, namespace string, err error) snapshot.Coverage {
	unseen := snapshot.Unseen{Verb: verb, Resource: resource, Namespace: namespace, Reason: reasonOf(err)}
	return snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{unseen}}
}
