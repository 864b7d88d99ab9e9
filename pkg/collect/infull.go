package collect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// What is read for one application has bounds: a namespace may hold the parts of thousands of others.
const (
	fullPage   = 500  // objects of a page
	fullAround = 500  // objects of a kind in the namespace
	fullPods   = 2000 // pods of an application
	fullEvents = 1000 // of a namespace; where there are more, those about single objects are asked for
	fullNodes  = 1000
)

// labelValue reports whether a text may stand in a selector of labels.
func labelValue(text string) bool { return text != "" && len(content.IsLabelValue(text)) == 0 }

// wanted is one listing.
type wanted struct {
	namespace      string
	labels, fields string
	cached         bool // as the API server remembers it: a moment old, and found by an index
	most           int
}

// get reads an object; nil if it is not there, or cannot be read.
func (r *reader) get(ctx context.Context, v snapshot.View, name string) *snapshot.Whole {
	namespace := r.namespace
	if src, _ := snapshot.SourceOf(v); !src.Namespaced {
		namespace = ""
	}
	return r.getIn(ctx, v, namespace, name)
}

// getIn reads an object of a namespace.
func (r *reader) getIn(ctx context.Context, v snapshot.View, namespace, name string) *snapshot.Whole {
	src, _ := snapshot.SourceOf(v)
	if !validSegment(name) {
		return nil
	}
	res, err := r.resource(src)
	if err != nil {
		return nil
	}
	src.Version = res.version
	raw, err := r.g.c.get(res.path(namespace)+"/"+name, "application/json").Do(metered(ctx, v)).Raw()
	if apierrors.IsNotFound(err) {
		r.saw(v, true)
		return nil
	}
	var w *snapshot.Whole
	if err == nil {
		w, err = whole.Of(src, raw, snapshot.Location{})
	}
	if err != nil {
		r.saw(v, false, snapshot.Unseen{Verb: "get", Resource: res.full(), Namespace: namespace, Name: name, Reason: reasonOf(err),
			Obstacle: obstacleOf(err)})
		return nil
	}
	r.saw(v, true)
	r.add(v, w)
	return w
}

// resource finds a kind; one that is not served is empty.
func (r *reader) resource(src snapshot.Source) (resource, error) {
	res, err := r.g.served.of(src)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(err, errNotServed):
		r.coverage[src.View] = snapshot.Coverage{State: snapshot.NotServed}
	case err != nil:
		r.coverage[src.View] = unseeable("list", resource{group: src.Group, name: src.Resource}.full(), r.namespace, err)
	}
	return res, err
}

// list reads a listing, and reports whether it goes on beyond what was wanted. Nothing is added.
func (r *reader) list(ctx context.Context, v snapshot.View, want wanted) (found []*snapshot.Whole, more bool, err error) {
	src, _ := snapshot.SourceOf(v)
	res, err := r.resource(src)
	if err != nil {
		return nil, false, nil //nolint:nilerr // the coverage says so
	}
	for token := ""; ; {
		params := map[string]string{
			"limit": strconv.Itoa(min(fullPage, want.most)), "continue": token, "labelSelector": want.labels, "fieldSelector": want.fields,
		}
		if want.cached {
			params["resourceVersion"] = "0"
		}
		page, next, err := r.page(ctx, src, res, want.namespace, params)
		found = append(found, page...)
		if err != nil {
			r.saw(v, false, snapshot.Unseen{Verb: "list", Resource: res.full(), Namespace: want.namespace, Reason: reasonOf(err),
				Obstacle: obstacleOf(err)})
			return found, true, err
		}
		if next == "" || next == token {
			return found, false, nil
		}
		if token = next; len(found) >= want.most {
			return found, true, nil
		}
	}
}

func (r *reader) page(ctx context.Context, src snapshot.Source, res resource, namespace string, params map[string]string) (
	found []*snapshot.Whole, next string, err error,
) {
	src.Version = res.version
	accept, namesOnly := "application/json", src.View == snapshot.WholeConfigMaps
	if namesOnly {
		accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
	}
	var spent input.Budget
	body, err := r.g.c.stream(metered(ctx, src.View), &spent, res.path(namespace), accept, params)
	if err != nil {
		return nil, "", err
	}
	defer body.Close() //nolint:errcheck // read only
	counted := &countingReader{Reader: body, most: maxFullPage}
	meta, err := newListReader(&spent).read(counted, res.listOf(src, namesOnly), func(string) {}, func(_ snapshot.Encoding, raw []byte) error {
		if err := spent.JSON(raw); err != nil {
			return err
		}
		w, err := whole.Of(src, raw, snapshot.Location{})
		if err != nil {
			r.saw(src.View, false, undecodable(src.Resource, namespace, nil, err))
			return nil
		}
		found = append(found, w)
		return spent.Keep(input.Size(w))
	})
	if errors.Is(err, errNoList) {
		found = nil
	}
	if err != nil {
		err = fmt.Errorf("reading %s: %w", src.Resource, counted.blame(err))
	}
	return found, meta.Continue, err
}

// maxFullPage bounds the bytes of one answer.
const maxFullPage = 64 << 20

// add puts an object into the snapshot, once.
func (r *reader) add(v snapshot.View, list ...*snapshot.Whole) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	if r.g.inFull == nil {
		r.g.inFull = map[snapshot.View]map[snapshot.Key]bool{}
	}
	if r.g.inFull[v] == nil {
		r.g.inFull[v] = map[snapshot.Key]bool{}
	}
	for _, w := range list {
		if !r.g.inFull[v][w.Key()] {
			r.g.inFull[v][w.Key()] = true
			r.g.b.Add(v, w)
		}
	}
	switch v {
	case snapshot.WholeApplications, snapshot.WholeConnects, snapshot.WholeWorkloads, snapshot.WholeVolcanoPodGroups:
		r.naming[v] = append(r.naming[v], list...)
	}
}

// of are the objects of a view that were read and may name others.
func (r *reader) of(v snapshot.View) []*snapshot.Whole {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return slices.Clone(r.naming[v])
}

// has reports whether an object is in the snapshot already.
func (r *reader) has(v snapshot.View, w *snapshot.Whole) bool {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return r.g.inFull[v][w.Key()]
}

// saw notes how a reading of a view went: everything that concerns the application, or only a part.
func (r *reader) saw(v snapshot.View, all bool, unseen ...snapshot.Unseen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, known := r.coverage[v]
	c.Unseen = append(c.Unseen, unseen...)
	switch {
	case !known && all:
		c.State = snapshot.Complete
	case !known:
		c.State = snapshot.Partial
	case !all && c.State == snapshot.Complete:
		c.State = snapshot.Partial
	}
	r.coverage[v] = c
}

// refused reports whether something of a view could not be read.
func (r *reader) refused(v snapshot.View) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.coverage[v].Unseen) > 0
}

// cover says in the snapshot how much was seen. Several applications may be read into one.
func (r *reader) cover() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range slices.Sorted(maps.Keys(r.coverage)) {
		c, before := r.coverage[v], r.g.b.Coverage(v)
		if before.State != snapshot.NotAsked {
			c.Unseen = append(slices.Clone(before.Unseen), c.Unseen...)
			if before.State != c.State {
				c.State = snapshot.Partial
			}
		}
		r.g.b.Cover(v, c)
	}
	if neighbors := r.g.b.Coverage(snapshot.WholeNeighbors); neighbors.State != snapshot.NotAsked { // by node
		r.g.counted = append(r.g.counted, r.counted...)
		neighbors.Namespaces = slices.Compact(slices.Sorted(slices.Values(r.g.counted)))
		if neighbors.Namespaces == nil {
			neighbors.Namespaces = []string{}
		}
		r.g.b.Cover(snapshot.WholeNeighbors, neighbors)
	}
}

// ownerOf is the name of an owner of a kind, empty if there is none.
func ownerOf(w *snapshot.Whole, kind string) string {
	if w == nil {
		return ""
	}
	for _, owner := range whole.Owners(w) {
		if owner.Kind == kind {
			return owner.Name
		}
	}
	return ""
}

func isExecutor(pod *snapshot.Whole) bool { return whole.Label(pod, snapshot.RoleLabel) == "executor" }
