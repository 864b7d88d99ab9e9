package archive

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// Loader builds a snapshot out of what an archive holds. It is not safe for concurrent use.
type Loader struct {
	saved   snapshot.Saved
	b       *snapshot.Builder
	decoder *wire.Decoder
	options json.Options
	records map[snapshot.View]snapshot.Record // one of each view, used again and again
	counts  map[snapshot.View]int
	newer   map[snapshot.View]bool // views whose records have fields that this build does not know
	size    int64                  // of the last record
}

// NewLoader starts with what the archive says of the snapshot.
func NewLoader(saved snapshot.Saved) *Loader {
	l := &Loader{
		saved: saved, b: snapshot.NewBuilder(saved.TakenAt), decoder: wire.NewDecoder(),
		records: map[snapshot.View]snapshot.Record{}, counts: map[snapshot.View]int{}, newer: map[snapshot.View]bool{},
	}
	l.options = savedOptions(l.decoder)
	l.b.FromServer()
	l.b.Asked(saved.Namespaces)
	return l
}

// Knows reports whether this build has a type for the records of a view.
func (l *Loader) Knows(v snapshot.View) bool { return l.record(v) != nil }

func (l *Loader) record(v snapshot.View) snapshot.Record {
	r, known := l.records[v]
	if !known {
		r = snapshot.NewRecord(v)
		l.records[v] = r
	}
	return r
}

// Size is what the last record takes.
func (l *Loader) Size() int64 { return l.size }

// Add reads one record of a view.
func (l *Loader) Add(v snapshot.View, text []byte) error {
	r := l.record(v)
	if err := l.decode(r, text, &v); err != nil {
		return err
	}
	o := snapshot.ObjectOf(r)
	src, listed := snapshot.SourceOf(v)
	switch {
	case o.Name == "":
		return errors.New("a record has no name")
	case listed && o.GroupKind() != src.GroupKind():
		return fmt.Errorf("a record is a %.80q, where a %s belongs", o.GroupKind(), src.GroupKind())
	}
	l.counts[v]++
	l.b.Add(v, r)
	return nil
}

// decode reads a record; fields that this build does not know are passed over and remembered.
func (l *Loader) decode(r snapshot.Record, text []byte, of *snapshot.View) error {
	strict := of != nil && !l.newer[*of]
	reflect.ValueOf(r).Elem().SetZero()
	err := json.Unmarshal(text, r, l.options, json.RejectUnknownMembers(strict))
	if strict && errors.Is(err, json.ErrUnknownName) {
		l.newer[*of] = true
		return l.decode(r, text, of)
	}
	if err != nil {
		return errors.New(wire.Problem(err))
	}
	l.decoder.Share(snapshot.ObjectOf(r))
	l.size = input.Size(r)
	return nil
}

// Answer reads the record of an object that was fetched again.
func (l *Loader) Answer(v snapshot.View, ref snapshot.Ref, text []byte) (snapshot.Record, error) {
	var r snapshot.Record = new(snapshot.Object)
	if src, listed := snapshot.SourceOf(v); listed && src.GroupKind() == ref.GroupKind() {
		r = snapshot.NewRecord(v)
	}
	if r == nil {
		return nil, fmt.Errorf("an answer is of view %.80q, which is not known to this build", v)
	}
	err := l.decode(r, text, nil)
	if err != nil {
		return nil, err
	}
	if o := snapshot.ObjectOf(r); o.Name != ref.Name || o.Namespace != ref.Namespace {
		return nil, errors.New("an answer is about another object")
	}
	return r, nil
}

// Seal returns the snapshot, and what of the archive is of another build. Fewer or more records than the archive says
// it has are an error.
func (l *Loader) Seal() (*snapshot.Snapshot, []string, error) {
	var notes []string
	named := map[snapshot.View]bool{}
	for _, saved := range l.saved.Views {
		if named[saved.View] {
			return nil, nil, fmt.Errorf("view %.80q is there twice", saved.View)
		}
		named[saved.View] = true
		if !l.Knows(saved.View) {
			notes = append(notes, fmt.Sprintf("view %.80q is not known to this build", saved.View))
			continue
		}
		if n := l.counts[saved.View]; n != saved.Records {
			return nil, nil, fmt.Errorf("%d records of %s instead of %d", n, saved.View, saved.Records)
		}
		c := snapshot.Coverage{State: saved.State, Namespaces: saved.Namespaces, Unseen: snapshot.LoadedUnseen(saved.Unseen),
			Resumed: saved.Resumed}
		if lacking := l.lacking(saved); len(lacking) > 0 && c.Readable() && c.State != snapshot.NotServed {
			c.State = snapshot.Partial
			c.Unseen = append(slices.Clone(c.Unseen), snapshot.Unseen{
				Verb: "read", Resource: string(saved.View), Reason: "an older build saved it, without " + strings.Join(lacking, ", "),
			})
			notes = append(notes, fmt.Sprintf("%s: saved without %s, by an older build", saved.View, strings.Join(lacking, ", ")))
		}
		if l.newer[saved.View] {
			notes = append(notes, fmt.Sprintf("%s: saved with fields that this build does not know", saved.View))
		}
		if c.State != snapshot.NotAsked {
			l.b.Cover(saved.View, c)
		}
		delete(l.counts, saved.View)
	}
	for v, n := range l.counts {
		return nil, nil, fmt.Errorf("%d records of %s instead of 0", n, v)
	}
	for _, k := range l.saved.OwnerKinds {
		l.b.CoverOwnerKind(snapshot.GroupKind{Group: k.Group, Kind: k.Kind}, snapshot.OwnerKind{
			Served: k.Served, Namespaced: k.Namespaced,
			Coverage: snapshot.Coverage{State: k.State, Namespaces: k.Namespaces, Unseen: snapshot.LoadedUnseen(k.Unseen), Resumed: k.Resumed},
		})
	}
	l.coverRest()
	return l.b.Seal(), notes, nil
}

// lacking are the fields of a view's records that the archive does not have. What lies within one of them goes without
// saying.
func (l *Loader) lacking(saved snapshot.SavedView) []string {
	out := slices.DeleteFunc(snapshot.JudgedFieldsOf(l.record(saved.View)), func(field string) bool {
		return slices.Contains(l.saved.Fields[saved.Type], field)
	})
	return slices.DeleteFunc(slices.Clone(out), func(field string) bool {
		return slices.ContainsFunc(out, func(other string) bool { return strings.HasPrefix(field, other+".") })
	})
}

// coverRest says of the views that the archive does not hold that they were not seen. What is only read on request
// was not asked for.
func (l *Loader) coverRest() {
	views := []snapshot.View{snapshot.Owners}
	for _, src := range snapshot.Sources() {
		views = append(views, src.View)
	}
	for _, v := range views {
		if l.b.Coverage(v).State == snapshot.NotAsked {
			l.b.Cover(v, snapshot.Coverage{
				State:  snapshot.Unseeable,
				Unseen: []snapshot.Unseen{{Verb: "read", Resource: string(v), Reason: snapshot.NotSaved, Obstacle: snapshot.Unsaved}},
			})
		}
	}
}
