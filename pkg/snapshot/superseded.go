package snapshot

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
	for v, t := range b.tables {
		t.drop(in(v))
	}
	b.tables.of(Annotated).drop(func(o *Object) bool {
		if ignored[o.Key()] == 0 {
			return false
		}
		ignored[o.Key()]--
		return true
	})
	b.known = nil
}
