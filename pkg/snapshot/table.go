package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
)

// record is a pointer to a record that can be told from others of its kind.
type record[T any] interface {
	*T
	Record
}

// table is the records of one view, all of one type. It is added to until it is sealed, and never changes afterwards.
type table interface {
	role() ownerRole
	len() int
	each(yield func(Record) bool) bool // reports whether to go on

	add(r Record) // copies it
	take(from table)
	drop(gone func(*Object) bool)
	seal()

	has(key Key) bool
	only(kept func(*Object) bool) table
	replaced(updates []Update) table
}

// form says how a table keeps its records.
type form int

const (
	asValues form = iota // in one slice, which accessors hand out
	inPlace              // where they were read to, for there are too many to copy them
	once                 // as values; of alike records of one object the first
)

type tableOf[T any, P record[T]] struct {
	owners ownerRole
	form   form
	chunks chunks[T] // as they came, until seal
	list   []P       // sorted by reference
	values []T       // what the list points to
}

func (t *tableOf[T, P]) role() ownerRole { return t.owners }
func (t *tableOf[T, P]) len() int        { return t.chunks.len() + len(t.list) }
func (t *tableOf[T, P]) add(r Record)    { t.chunks.add((*T)(t.own(r))) }

func (t *tableOf[T, P]) each(yield func(Record) bool) bool {
	for r := range t.records {
		if !yield(r) {
			return false
		}
	}
	return true
}

func (t *tableOf[T, P]) records(yield func(P) bool) {
	for _, r := range t.list {
		if !yield(r) {
			return
		}
	}
	for r := range t.chunks.each {
		if !yield(r) {
			return
		}
	}
}

func (t *tableOf[T, P]) own(r Record) P {
	own, ok := r.(P)
	if !ok {
		panic(fmt.Sprintf("a record is a %T, not a %T", r, own)) // the author's error, which any test of the view meets
	}
	return own
}

// take appends the records of a table of the same view, to which nothing more is added.
func (t *tableOf[T, P]) take(from table) {
	if other, ok := from.(*tableOf[T, P]); ok {
		t.chunks.take(other.chunks)
	}
}

func (t *tableOf[T, P]) drop(gone func(*Object) bool) {
	for i := range t.chunks {
		t.chunks[i] = slices.DeleteFunc(t.chunks[i], func(r T) bool { return gone(P(&r).object()) })
	}
}

func (t *tableOf[T, P]) seal() {
	list := slices.AppendSeq(make([]P, 0, t.len()), t.records)
	if compare := func(a, b P) int { return compareObjects(a.object(), b.object()) }; !slices.IsSortedFunc(list, compare) {
		slices.SortStableFunc(list, compare)
	}
	if t.form == once {
		list = slices.CompactFunc(list, func(a, b P) bool {
			x, y := a.object(), b.object()
			return x.Key() == y.Key() && x.Ignore() == y.Ignore()
		})
	}
	*t = *t.of(list)
}

// of returns a sealed table with other records.
func (t *tableOf[T, P]) of(list []P) *tableOf[T, P] {
	out := &tableOf[T, P]{owners: t.owners, form: t.form, list: list}
	if t.form != inPlace {
		out.values = make([]T, len(list))
		for i, r := range list {
			out.values[i] = *r
			list[i] = &out.values[i]
		}
	}
	return out
}

func (t *tableOf[T, P]) has(key Key) bool { return t.find(key) != nil }

// find returns the first record of a name, nil if there is none.
func (t *tableOf[T, P]) find(key Key) P {
	ref := key.ref()
	at := sort.Search(len(t.list), func(i int) bool { return t.list[i].object().Compare(ref) >= 0 })
	if at == len(t.list) || t.list[at].object().Key() != key {
		return nil
	}
	return t.list[at]
}

func (t *tableOf[T, P]) only(kept func(*Object) bool) table {
	return t.of(slices.DeleteFunc(slices.Clone(t.list), func(r P) bool { return !kept(r.object()) }))
}

// replaced returns a table in which the objects of updates are as fetched, added or left out.
func (t *tableOf[T, P]) replaced(updates []Update) table {
	updated := map[Key]bool{}
	for _, u := range updates {
		updated[u.Ref.Key()] = true
	}
	list := slices.DeleteFunc(slices.Clone(t.list), func(r P) bool { return updated[r.object().Key()] })
	for _, u := range updates {
		if fresh, ok := u.Record.(P); ok {
			at := sort.Search(len(list), func(i int) bool { return list[i].object().Compare(fresh.object().Ref) >= 0 })
			list = slices.Insert(list, at, fresh)
		}
	}
	return t.of(list)
}

func compareObjects(x, y *Object) int {
	if c := x.Compare(y.Ref); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(x.Ignore(), y.Ignore()), cmp.Compare(x.Location.File, y.Location.File))
}

// tables are the records of all views.
type tables map[View]table

// of returns the table of a view, a new one if there is none.
func (t *tables) of(v View) table {
	if one := (*t)[v]; one != nil {
		return one
	}
	k, known := kindOf(v)
	if !known {
		panic(fmt.Sprintf("view %q is not in the table of kinds", v)) // the author's error, which any test of the view meets
	}
	if *t == nil {
		*t = tables{}
	}
	(*t)[v] = k.table()
	return (*t)[v]
}

// each yields the records of the views with a role, always in the same order, and reports whether to go on.
func (t tables) each(is func(ownerRole) bool, yield func(*Object) bool) bool {
	for _, v := range slices.Sorted(maps.Keys(t)) {
		if one := t[v]; is(one.role()) && !one.each(func(r Record) bool { return yield(r.object()) }) {
			return false
		}
	}
	return true
}

// owners yields the records among which owners are looked for.
func (t tables) owners(yield func(*Object) bool) bool { return t.each(ownerRole.canBeOwner, yield) }

// tableIn returns the table of a view, an empty one if there is none.
func tableIn[T any, P record[T]](t tables, v View) *tableOf[T, P] {
	if one, ok := t[v].(*tableOf[T, P]); ok {
		return one
	}
	return &tableOf[T, P]{}
}

// copied returns the records of a view that is not sealed.
func copied[T any, P record[T]](t tables, v View) []T {
	var out []T
	for r := range tableIn[T, P](t, v).records {
		out = append(out, *r)
	}
	return out
}
