package snapshot

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Saved is what an archive says of a snapshot beside its records.
type Saved struct {
	TakenAt    time.Time        `json:"takenAt"`
	Namespaces []string         `json:"namespaces,omitzero"` // the only ones that were asked for; without: all
	Views      []SavedView      `json:"views"`
	OwnerKinds []SavedOwnerKind `json:"ownerKinds"`
	// Fields are those of each type of record, so that a later build knows what an archive cannot tell.
	Fields map[string][]string `json:"fields"`
}

// SavedView is how much of a view was seen, and how many records the archive holds of it.
type SavedView struct {
	View       View          `json:"view"`
	State      State         `json:"state"`
	Namespaces []string      `json:"namespaces,omitzero"`
	Unseen     []SavedUnseen `json:"unseen,omitempty"`
	Resumed    bool          `json:"resumed,omitempty"`
	Type       string        `json:"type"` // of the records
	Records    int           `json:"records"`
}

// SavedOwnerKind is what is known of a kind that ownerReferences name.
type SavedOwnerKind struct {
	Group      string        `json:"group,omitempty"`
	Kind       string        `json:"kind"`
	Served     bool          `json:"served"`
	Namespaced bool          `json:"namespaced"`
	State      State         `json:"state"`
	Namespaces []string      `json:"namespaces,omitzero"`
	Unseen     []SavedUnseen `json:"unseen,omitempty"`
	Resumed    bool          `json:"resumed,omitempty"`
}

// SavedUnseen is a gap with the kind of its reason.
type SavedUnseen struct {
	Unseen

	Obstacle Obstacle `json:"obstacle,omitempty"`
}

func savedUnseen(list []Unseen) []SavedUnseen {
	var out []SavedUnseen
	for _, u := range list {
		out = append(out, SavedUnseen{u, u.Obstacle})
	}
	return out
}

// LoadedUnseen returns gaps as they were before they were saved.
func LoadedUnseen(list []SavedUnseen) []Unseen {
	var out []Unseen
	for _, u := range list {
		u.Unseen.Obstacle = u.Obstacle
		out = append(out, u.Unseen)
	}
	return out
}

// Annotated stands in an archive for a view of the objects with the annotation sparkdoctor.io/ignore: some are in no
// other view.
const Annotated View = "objects with " + IgnoreAnnotation

// NotSaved is why a view is not seen that an archive does not hold.
const NotSaved = "not in the archive"

// Saved describes the snapshot. It fails for a view whose records have no type that could be read again.
func (s *Snapshot) Saved() (Saved, error) {
	out := Saved{TakenAt: s.TakenAt, Namespaces: s.Namespaces, Fields: map[string][]string{}}
	for _, v := range s.savedViews() {
		prototype := NewRecord(v)
		if prototype == nil {
			return Saved{}, fmt.Errorf("view %q has no type of record", v)
		}
		c := s.coverage[v]
		one := SavedView{View: v, State: c.State, Namespaces: c.Namespaces, Unseen: savedUnseen(c.Unseen), Resumed: c.Resumed,
			Type: typeName(prototype)}
		for r := range s.Records(v) {
			if typeName(r) != one.Type {
				return Saved{}, fmt.Errorf("view %q holds a record of type %s, not %s", v, typeName(r), one.Type)
			}
			one.Records++
		}
		out.Fields[one.Type] = FieldsOf(prototype)
		out.Views = append(out.Views, one)
	}
	for gk, k := range s.owners.kinds {
		out.OwnerKinds = append(out.OwnerKinds, SavedOwnerKind{
			Group: gk.Group, Kind: gk.Kind, Served: k.Served, Namespaced: k.Namespaced,
			State: k.Coverage.State, Namespaces: k.Coverage.Namespaces, Unseen: savedUnseen(k.Coverage.Unseen), Resumed: k.Coverage.Resumed,
		})
	}
	slices.SortFunc(out.OwnerKinds, func(a, b SavedOwnerKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	})
	return out, nil
}

// savedViews are the views that were asked for, and those that hold anything, sorted.
func (s *Snapshot) savedViews() []View {
	set := map[View]bool{}
	for v, c := range s.coverage {
		set[v] = c.State != NotAsked
	}
	for v, t := range s.records.tables {
		set[v] = set[v] || t.len() > 0
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(set)), func(v View) bool { return !set[v] })
}

// Records yields the records of a view as an archive keeps them: of Owners what was found in no other view.
func (s *Snapshot) Records(v View) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		if t := s.records.tables[v]; t != nil {
			t.each(yield)
		}
	}
}

// Objects yields what was seen, whatever view it is in: what is in two views comes twice. It is no view of a check.
func (s *Snapshot) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, v := range s.savedViews() {
			for r := range s.Records(v) {
				if !yield(r.object()) {
					return
				}
			}
		}
	}
}

// MarshalText writes a state as the word that String gives.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word of a state.
func (s *State) UnmarshalText(text []byte) error {
	for one := NotAsked; one <= NotInput; one++ {
		if one.String() == string(text) {
			*s = one
			return nil
		}
	}
	return fmt.Errorf("%.40q is no state of a view", text)
}

func typeName(r Record) string { return reflect.TypeOf(r).Elem().Name() }

// FieldsOf names all fields of a record's type, those within others as "Owners.Kind", sorted.
func FieldsOf(r Record) []string { return fieldsOf(r, func(reflect.StructField) bool { return true }) }

// JudgedFieldsOf names the fields of FieldsOf but those with the tag `verdict:"none"`: what only next steps and descriptions name, so
// that no verdict is less sure without it, and what a field beside it says was read or not, so that a check passes over the object.
func JudgedFieldsOf(r Record) []string {
	return fieldsOf(r, func(f reflect.StructField) bool { return f.Tag.Get("verdict") != "none" })
}

func fieldsOf(r Record, wanted func(reflect.StructField) bool) []string {
	var out []string
	var walk func(t reflect.Type, path string)
	walk = func(t reflect.Type, path string) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		switch t {
		case reflect.TypeFor[time.Time](), reflect.TypeFor[Labels](), reflect.TypeFor[metav1.LabelSelector]():
			return
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if !wanted(f) {
				continue
			}
			if f.Anonymous {
				walk(f.Type, path)
				continue
			}
			out = append(out, path+f.Name)
			walk(f.Type, path+f.Name+".")
		}
	}
	walk(reflect.TypeOf(r), "")
	slices.Sort(out)
	return slices.Compact(out)
}
