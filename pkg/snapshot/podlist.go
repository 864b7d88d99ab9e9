package snapshot

import (
	"slices"
	"sort"
	"strings"
)

// podList are pods where they were put when they came, sorted by reference: there are too many to copy them.
type podList []*Pod

// listed lists the pods of chunks, which are empty then.
func listed(c *chunks[Pod]) podList {
	if c.len() == 0 {
		return nil
	}
	out := make(podList, 0, c.len())
	for p := range c.each {
		out = append(out, p)
	}
	*c = nil
	sortUnsorted(out, func(a, b *Pod) int { return compareObjects(&a.Object, &b.Object) })
	return out
}

// find returns where a pod is, or belongs.
func (l podList) find(key Key) (at int, found bool) {
	at = sort.Search(len(l), func(i int) bool {
		c := strings.Compare(l[i].Namespace, key.Namespace) // all are pods
		return c > 0 || c == 0 && l[i].Name >= key.Name
	})
	return at, at < len(l) && l[at].Key() == key
}

func (l podList) has(key Key) bool { _, found := l.find(key); return found }

func (l podList) objects(yield func(*Object) bool) bool {
	for _, p := range l {
		if !yield(&p.Object) {
			return false
		}
	}
	return true
}

// replaced returns a copy in which the pods of updates are as fetched, added or left out.
func (l podList) replaced(updates []Update) podList {
	out := slices.Clone(l)
	for _, u := range updates {
		fresh, _ := u.Record.(*Pod)
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
