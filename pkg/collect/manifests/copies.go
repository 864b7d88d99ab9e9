package manifests

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// copies knows which objects the input held so far. A cluster holds one object of a kind, namespace and name; the input
// may hold copies of it: two dumps, a file given twice, a manifest beside the object that was made of it.
type copies struct {
	home       map[snapshot.GroupKind]snapshot.GroupKind // of kinds that the API server serves in a second group, too
	known      map[snapshot.Key]*copied
	superseded snapshot.Superseded
}

func newCopies() copies {
	c := copies{home: map[snapshot.GroupKind]snapshot.GroupKind{}, known: map[snapshot.Key]*copied{}, superseded: snapshot.Superseded{}}
	for _, s := range snapshot.Sources() {
		for _, also := range s.InGroups()[1:] {
			c.home[also.GroupKind()] = s.GroupKind()
		}
	}
	return c
}

// copied is the copy of an object that is judged.
type copied struct {
	uid      string
	version  string // metadata.resourceVersion
	created  time.Time
	content  [sha256.Size]byte // of a copy that lacks a name or one of the first two
	location snapshot.Location
	key      snapshot.Key // of its records: a cluster-scoped object may be written with a namespace
	views    []snapshot.View
	replaced bool    // by a newer copy
	raw      []byte  // as it stands in the files; nil: it was not asked for
	also     *copied // an earlier one that is judged as well
}

// Differing is an object of which the input holds copies that differ, and nothing tells which one is newer.
type Differing struct {
	Object       snapshot.Key
	Before, Last snapshot.Location
	Both         bool // are judged; else only the last one
	Matters      bool // checks read it, and not only as a part of an application
}

// Ref names the object.
func (d Differing) Ref() snapshot.Ref {
	return snapshot.Ref{Kind: d.Object.Kind, Namespace: d.Object.Namespace, Name: d.Object.Name}
}

// raw are the judged copies that were asked for.
func (c *copies) raw() map[snapshot.Key][]byte {
	out := map[snapshot.Key][]byte{}
	for _, one := range c.known {
		if one.raw != nil {
			out[one.key] = one.raw
		}
	}
	return out
}

// copyOf reads what tells copies of an object apart.
func copyOf(h head, item wire.Item) *copied {
	c := &copied{uid: h.UID, version: h.ResourceVersion, created: h.created(), location: item.Location}
	if h.Name == "" || c.uid == "" || c.version == "" {
		c.content = sha256.Sum256(canonical(item.Raw))
	}
	return c
}

// canonical is the same for the same value, in whatever order and form it is written.
func canonical(raw []byte) []byte {
	value := jsontext.Value(bytes.Clone(raw))
	if value.Canonicalize(lenient()) != nil {
		return raw
	}
	return value
}

// compare says which of two copies of an object is judged: below 0 the first, above 0 the second. With 0 nothing tells,
// and same says whether they are equal.
//
//   - A copy with a UID comes from an API server and shows the state; one without is a manifest that asks for one.
//   - Different UIDs are an object and the one that was created again under its name: the later one.
//   - Of one UID, the higher resourceVersion is the newer state (KEP-5504), and equal ones are the same state.
func compare(a, b *copied) (order int, same bool) {
	switch {
	case a.uid == "" && b.uid != "":
		return 1, false
	case a.uid != "" && b.uid == "":
		return -1, false
	case a.content == b.content && a.content != [sha256.Size]byte{}:
		return 0, true
	}
	if order = b.created.Compare(a.created); order != 0 || a.uid != b.uid {
		return order, false
	}
	order, err := resourceversion.CompareResourceVersion(b.version, a.version)
	return order, err == nil && order == 0 && a.uid != ""
}

// perObject is what it takes to know that an object was read.
const perObject = 384

// enter decides whether an object of the input is read into the snapshot. It is not if a copy that is equal or newer was
// read before; a copy that is older is dropped when the input ends.
func (b *builder) enter(h head, item wire.Item, sources []snapshot.Source) (*copied, bool) {
	c := copyOf(h, item)
	key := snapshot.Key{GroupKind: h.groupKind(), Namespace: h.Namespace, Name: h.Name}
	c.key = key
	if home, also := b.copies.home[key.GroupKind]; also {
		key.GroupKind = home
	}
	if h.Name == "" { // generateName: documents that differ make objects of their own
		key.Name = "/" + string(c.content[:])
	}
	if len(sources) > 0 && !sources[0].Namespaced {
		key.Namespace = "" // the API server ignores it
	}
	b.spend(perObject)
	before := b.copies.known[key]
	if before == nil {
		b.copies.known[key] = c
		return c, true
	}
	if before.newer(c) {
		b.input.Duplicates++
		return nil, false
	}
	b.supersede(key, before, c)
	b.copies.known[key] = c
	return c, true
}

// newer reports whether one of the judged copies of an object is newer than another one, or equal to it.
func (c *copied) newer(than *copied) bool {
	for one := c; one != nil; one = one.also {
		if order, same := compare(one, than); order < 0 || same {
			return true
		}
	}
	return false
}

// supersede drops what a copy replaces. Manifests of Spark's own kinds that differ are all judged: a repository holds the same application
// for each of its clusters, and nothing tells which one is meant.
func (b *builder) supersede(key snapshot.Key, before, c *copied) {
	order, _ := compare(before, c)
	both := order == 0 && key.Group == snapshot.SparkGroup && before.uid == "" && before.others() < judgedBeside
	if order == 0 {
		matters := slices.ContainsFunc(before.views, func(v snapshot.View) bool { return !ownable(v) })
		b.input.Differing = append(b.input.Differing, Differing{key, before.location, c.location, both, matters})
	}
	if both {
		c.also = before
		return
	}
	for one := before; one != nil; one = one.also {
		b.input.Duplicates++
		one.replaced = true
		for _, v := range one.views {
			b.copies.superseded.Add(v, one.key)
		}
	}
}

// judgedBeside is how many copies of one object are judged beside the last one.
const judgedBeside = 16

func (c *copied) others() int {
	n := 0
	for one := c.also; one != nil; one = one.also {
		n++
	}
	return n
}
