package snapshot

import "slices"

// Superseded counts, by view and key, the records that a later record of the same object replaces. The later record was
// added last, so that of each key the first ones go.
type Superseded map[View]map[Key]int

// Add counts one record of a view.
func (s Superseded) Add(v View, key Key) {
	if s[v] == nil {
		s[v] = map[Key]int{}
	}
	s[v][key]++
}

// Drop removes the superseded records, and what they said of suppressions.
func (b *Builder) Drop(superseded Superseded) {
	if len(superseded) == 0 {
		return
	}
	ignored := map[Key]int{}
	in := func(v View) func(*Object) bool {
		left := superseded[v]
		return func(o *Object) bool {
			if left[o.Key()] == 0 {
				return false
			}
			left[o.Key()]--
			b.count--
			if o.Ignore() != "" {
				ignored[o.Key()]++
			}
			return true
		}
	}
	dropFrom(b.early.applications, in(SparkApplications))
	dropFrom(b.early.pods, in(SparkPods))
	for v, list := range b.objects {
		dropFrom(list, in(v))
	}
	for v, list := range b.lists {
		list.drop(in(v))
	}
	gone := in(Owners)
	b.sightings = slices.DeleteFunc(b.sightings, func(o Object) bool { return gone(&o) })
	b.ignored = slices.DeleteFunc(b.ignored, func(one Ignored) bool {
		if ignored[one.Key()] == 0 {
			return false
		}
		ignored[one.Key()]--
		return true
	})
	b.known = nil
}

func dropFrom[T any, P record[T]](c chunks[T], drop func(*Object) bool) {
	for i := range c {
		c[i] = slices.DeleteFunc(c[i], func(r T) bool { return drop(P(&r).object()) })
	}
}

func (l *listOf[T, P]) drop(drop func(*Object) bool) {
	*l = slices.DeleteFunc(*l, func(r T) bool { return drop(P(&r).object()) })
}
