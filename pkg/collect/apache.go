package collect

import (
	"context"
	"errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// apache lists a kind of the Apache Spark Kubernetes Operator, of each object how it stands.
func (g *gatherer) apache(ctx context.Context, src snapshot.Source, need snapshot.Need) {
	res, err := g.served.of(src)
	if err != nil {
		c := snapshot.Coverage{State: snapshot.NotServed}
		if !errors.Is(err, errNotServed) {
			c = unseeable("list", resource{group: src.Group, name: src.Resource}.full(), "", err)
		}
		g.cover(src.View, c)
		return
	}
	src.Version = res.version
	l := g.lister(src, res)
	l.decode = func(src snapshot.Source, item wire.Item) (snapshot.Record, error) {
		w, err := whole.Of(src, item.Raw, item.Location)
		if err != nil {
			return nil, err
		}
		return whole.Standing(w), nil
	}
	only := g.o.Namespaces
	if need.Scope == snapshot.Everywhere {
		only = nil
	}
	g.cover(src.View, g.list(ctx, l, only))
}

// namesake reads what of the Apache Spark Kubernetes Operator has the name of an object of the other operator. What keeps it from being
// read is not told: the user asked about the other one.
func (r *reader) namesake(ctx context.Context, kind, name string) {
	for _, v := range snapshot.ApacheViews() {
		src, _ := snapshot.SourceOf(v)
		res, err := r.g.served.of(src)
		if err != nil || kind != "" && kind != src.Kind || !validSegment(name) {
			continue
		}
		src.Version = res.version
		raw, err := r.g.c.get(res.path(r.namespace)+"/"+name, "application/json").Do(metered(ctx, v)).Raw()
		if err != nil {
			continue
		}
		if w, err := whole.Of(src, raw, snapshot.Location{}); err == nil {
			r.add(v, w)
			r.saw(v, true)
		}
	}
}

// ofApache selects the pods of an application, or of a cluster, of the Apache Spark Kubernetes Operator.
func (r *reader) ofApache(kind, name string) {
	label := snapshot.ApacheNameLabel
	if kind == "SparkCluster" {
		label = snapshot.ApacheClusterLabel
	}
	r.apache = name
	r.selectors = append(r.selectors, label+"="+name)
}
