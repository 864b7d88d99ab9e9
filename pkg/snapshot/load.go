package snapshot

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Loader builds a snapshot out of what an archive holds. It is not safe for concurrent use.
type Loader struct {
	saved   Saved
	b       *Builder
	decoder *Decoder
	options json.Options
	records map[View]Record // one of each view, used again and again
	counts  map[View]int
	newer   map[View]bool // views whose records have fields that this build does not know
}

// NewLoader starts with what the archive says of the snapshot.
func NewLoader(saved Saved) *Loader {
	l := &Loader{
		saved: saved, b: NewBuilder(saved.TakenAt), decoder: NewDecoder(),
		records: map[View]Record{}, counts: map[View]int{}, newer: map[View]bool{},
	}
	l.options = l.decoder.savedOptions()
	l.b.FromServer()
	l.b.Asked(saved.Namespaces)
	return l
}

// Knows reports whether this build has a type for the records of a view.
func (l *Loader) Knows(v View) bool { return l.record(v) != nil }

func (l *Loader) record(v View) Record {
	r, known := l.records[v]
	if !known {
		r = newRecord(v)
		l.records[v] = r
	}
	return r
}

// Add reads one record of a view.
func (l *Loader) Add(v View, text []byte) error {
	r := l.record(v)
	if err := l.decode(r, text, &v); err != nil {
		return err
	}
	o := r.object()
	src, listed := SourceOf(v)
	switch {
	case o.Name == "":
		return errors.New("a record has no name")
	case listed && o.GroupKind() != src.GroupKind():
		return fmt.Errorf("a record is a %.80q, where a %s belongs", o.GroupKind(), src.GroupKind())
	}
	l.counts[v]++
	if v == Annotated {
		l.b.ignored = append(l.b.ignored, Ignored{o.Ref, o.Location, o.Ignore()})
		return nil
	}
	l.b.Add(v, r)
	return nil
}

// decode reads a record; fields that this build does not know are passed over and remembered.
func (l *Loader) decode(r Record, text []byte, of *View) error {
	strict := of != nil && !l.newer[*of]
	reflect.ValueOf(r).Elem().SetZero()
	err := json.Unmarshal(text, r, l.options, json.RejectUnknownMembers(strict))
	if strict && errors.Is(err, json.ErrUnknownName) {
		l.newer[*of] = true
		return l.decode(r, text, of)
	}
	if err != nil {
		return errors.New(problemOf(err))
	}
	l.decoder.object(r.object())
	return nil
}

// Answer reads the record of an object that was fetched again.
func (l *Loader) Answer(v View, ref Ref, text []byte) (Record, error) {
	var r Record = new(Object)
	if src, listed := SourceOf(v); listed && src.GroupKind() == ref.GroupKind() {
		r = newRecord(v)
	}
	if r == nil {
		return nil, fmt.Errorf("an answer is of view %.80q, which is not known to this build", v)
	}
	err := l.decode(r, text, nil)
	if err != nil {
		return nil, err
	}
	if o := r.object(); o.Name != ref.Name || o.Namespace != ref.Namespace {
		return nil, errors.New("an answer is about another object")
	}
	return r, nil
}

// Seal returns the snapshot, and what of the archive is of another build. Fewer or more records than the archive says
// it has are an error.
func (l *Loader) Seal() (*Snapshot, []string, error) {
	var notes []string
	for _, saved := range l.saved.Views {
		if !l.Knows(saved.View) {
			notes = append(notes, fmt.Sprintf("view %q is not known to this build", saved.View))
			continue
		}
		if n := l.counts[saved.View]; n != saved.Records {
			return nil, nil, fmt.Errorf("%d records of %s instead of %d", n, saved.View, saved.Records)
		}
		c := Coverage{State: saved.State, Namespaces: saved.Namespaces, Unseen: saved.Unseen, Resumed: saved.Resumed}
		if lacking := l.lacking(saved); len(lacking) > 0 && c.Readable() && c.State != NotServed {
			c.State = Partial
			c.Unseen = append(slices.Clone(c.Unseen), Unseen{Verb: "read", Resource: string(saved.View), Reason: "an older build saved it, without " + strings.Join(lacking, ", ")})
			notes = append(notes, fmt.Sprintf("%s: saved without %s, by an older build", saved.View, strings.Join(lacking, ", ")))
		}
		if l.newer[saved.View] {
			notes = append(notes, fmt.Sprintf("%s: saved with fields that this build does not know", saved.View))
		}
		if c.State != NotAsked {
			l.b.Cover(saved.View, c)
		}
		delete(l.counts, saved.View)
	}
	for v, n := range l.counts {
		return nil, nil, fmt.Errorf("%d records of %s instead of 0", n, v)
	}
	for _, k := range l.saved.OwnerKinds {
		l.b.CoverOwnerKind(GroupKind{k.Group, k.Kind}, OwnerKind{k.Served, k.Namespaced, Coverage{k.State, k.Namespaces, k.Unseen, k.Resumed}})
	}
	l.coverRest()
	return l.b.Seal(), notes, nil
}

// lacking are the fields of a view's records that the archive does not have. What lies within one of them goes without
// saying.
func (l *Loader) lacking(saved SavedView) []string {
	out := slices.DeleteFunc(fieldsOf(l.record(saved.View)), func(field string) bool { return slices.Contains(l.saved.Fields[saved.Type], field) })
	return slices.DeleteFunc(slices.Clone(out), func(field string) bool {
		return slices.ContainsFunc(out, func(other string) bool { return strings.HasPrefix(field, other+".") })
	})
}

// coverRest says of the views that the archive does not hold that they were not seen. What is only read on request
// was not asked for.
func (l *Loader) coverRest() {
	views := []View{Owners}
	for _, src := range Sources() {
		views = append(views, src.View)
	}
	for _, v := range views {
		if l.b.Coverage(v).State == NotAsked {
			l.b.Cover(v, Coverage{State: Unseeable, Unseen: []Unseen{{Verb: "read", Resource: string(v), Reason: NotSaved}}})
		}
	}
}

// In returns a snapshot of which only some namespaces are asked about; nil: all that it holds.
func (s *Snapshot) In(namespaces []string) *Snapshot {
	out := *s
	out.Namespaces = namespaces
	return &out
}

// Only returns a snapshot that holds no more than the needed views, as if nothing else had been read. What is known of
// owners stays.
func (s *Snapshot) Only(needs []Need) *Snapshot {
	kept := map[View]bool{}
	for _, n := range needs {
		kept[n.View] = true
	}
	out, rec := *s, s.records
	if !kept[SparkApplications] {
		rec.applications = nil
	}
	if !kept[SparkPods] {
		rec.pods, rec.jobs = nil, nil
	}
	rec.dependents, rec.lists, out.coverage = maps.Clone(rec.dependents), maps.Clone(rec.lists), maps.Clone(s.coverage)
	maps.DeleteFunc(rec.dependents, func(v View, _ []Object) bool { return !kept[v] })
	maps.DeleteFunc(rec.lists, func(v View, _ list) bool { return !kept[v] })
	maps.DeleteFunc(out.coverage, func(v View, _ Coverage) bool { return !kept[v] })
	rec.ignored = slices.DeleteFunc(slices.Clone(rec.ignored), func(i Ignored) bool { return !s.annotatedIn(i, kept) })
	out.records = rec
	return &out
}

// annotatedIn reports whether an object with the annotation was seen in one of some views. One that no view holds was
// seen where all objects of its kind are.
func (s *Snapshot) annotatedIn(i Ignored, kept map[View]bool) bool {
	held, listed := false, false
	for _, src := range Sources() {
		if src.GroupKind() != i.GroupKind() {
			continue
		}
		listed = listed || kept[src.View]
		if s.records.hold(src.View, i.Key()) {
			if kept[src.View] {
				return true
			}
			held = true
		}
	}
	return listed && !held
}

func (r *records) hold(v View, key Key) bool {
	switch {
	case v == SparkApplications:
		return r.applications.has(key)
	case v == SparkPods:
		return r.pods.has(key)
	case dependent(v):
		return has(r.dependents[v], key)
	default:
		return r.lists[v] != nil && r.lists[v].has(key)
	}
}
