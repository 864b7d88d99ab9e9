package snapshot

import (
	"slices"
	"sort"
	"strings"
)

// listed are applications or pods where they were put when they came, sorted by reference: there are too many to copy them.
type listed[T any, P record[T]] []P

type (
	applicationList = listed[SparkApplication, *SparkApplication]
	podList         = listed[Pod, *Pod]
)

// listedOf lists the records of chunks, which are empty then.
func listedOf[T any, P record[T]](c *chunks[T]) listed[T, P] {
	if c.len() == 0 {
		return nil
	}
	out := make(listed[T, P], 0, c.len())
	for r := range c.each {
		out = append(out, r)
	}
	*c = nil
	sortUnsorted(out, func(a, b P) int { return compareObjects(a.object(), b.object()) })
	return out
}

// find returns where a record is, or belongs.
func (l listed[T, P]) find(key Key) (at int, found bool) {
	at = sort.Search(len(l), func(i int) bool {
		o := l[i].object()
		c := strings.Compare(o.Namespace, key.Namespace) // all are of one kind
		return c > 0 || c == 0 && o.Name >= key.Name
	})
	return at, at < len(l) && l[at].object().Key() == key
}

func (l listed[T, P]) has(key Key) bool { _, found := l.find(key); return found }

func (l listed[T, P]) holds(namespace string) bool {
	return slices.ContainsFunc(l, func(r P) bool { return r.object().Namespace == namespace })
}

func (l listed[T, P]) objects(yield func(*Object) bool) bool {
	for _, r := range l {
		if !yield(r.object()) {
			return false
		}
	}
	return true
}

func (l listed[T, P]) records(yield func(Record) bool) {
	for _, r := range l {
		if !yield(r) {
			return
		}
	}
}

// replaced returns a copy in which the records of updates are as fetched, added or left out.
func (l listed[T, P]) replaced(updates []Update) listed[T, P] {
	out := slices.Clone(l)
	for _, u := range updates {
		fresh, _ := u.Record.(P)
		at, found := out.find(u.Ref.Key())
		if found {
			out = slices.Delete(out, at, at+1)
		}
		if fresh != nil {
			out = slices.Insert(out, at, fresh)
		}
	}
	return out
}
