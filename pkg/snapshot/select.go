package snapshot

import (
	"maps"
	"time"
)

// In returns a snapshot of which only some namespaces are asked about; nil: all that it holds.
func (s *Snapshot) In(namespaces []string) *Snapshot {
	out := *s
	out.Namespaces = namespaces
	return &out
}

// At returns a snapshot that shows the cluster at another time.
func (s *Snapshot) At(t time.Time) *Snapshot {
	out := *s
	out.TakenAt = t.UTC()
	return &out
}

// Only returns a snapshot that holds no more than the needed views, as if nothing else had been read. What is known of
// owners stays.
func (s *Snapshot) Only(needs []Need) *Snapshot {
	kept := map[View]bool{}
	for _, n := range needs {
		kept[n.View] = true
	}
	out, all := *s, tables{}
	for v, t := range s.records.tables {
		switch {
		case kept[v], v == Owners:
			all[v] = t
		case v == Annotated:
			all[v] = t.only(func(o *Object) bool { return s.annotatedIn(o, kept) })
		}
	}
	out.coverage = maps.Clone(s.coverage)
	maps.DeleteFunc(out.coverage, func(v View, _ Coverage) bool { return !kept[v] })
	out.records = recordsIn(all)
	return &out
}

// InPart returns a snapshot of which some views are held to be seen in part, so that nothing follows from what is missing from them.
func (s *Snapshot) InPart(views []View) *Snapshot {
	out := *s
	out.coverage = maps.Clone(s.coverage)
	for _, v := range views {
		if c := out.coverage[v]; c.State == Complete || c.State == Partial {
			c.State, c.Namespaces = Partial, []string{}
			out.coverage[v] = c
		}
	}
	return &out
}

// annotatedIn reports whether an object with the annotation was seen in one of some views. One that no view holds was
// seen where all objects of its kind are.
func (s *Snapshot) annotatedIn(o *Object, kept map[View]bool) bool {
	held, listed := false, false
	for _, src := range Sources() {
		if src.GroupKind() != o.GroupKind() {
			continue
		}
		listed = listed || kept[src.View]
		if t := s.records.tables[src.View]; t != nil && t.has(o.Key()) {
			if kept[src.View] {
				return true
			}
			held = true
		}
	}
	return listed && !held
}

// Any reports whether fn holds for an object of any view. It is for selections: no check looks at all views.
func (s *Snapshot) Any(fn func(*Object) bool) bool {
	for v, t := range s.records.tables {
		if v != Owners && v != Annotated && !t.each(func(r Record) bool { return !fn(r.object()) }) {
			return true
		}
	}
	return false
}

// InNamespace reports whether a namespace was seen, or anything in it.
func (s *Snapshot) InNamespace(namespace string) bool {
	in := func(o *Object) bool {
		if o.Namespace == namespace {
			return true
		}
		return o.Kind == "Namespace" && o.Group() == "" && o.Name == namespace
	}
	for _, o := range s.owners.byKey {
		if in(o) {
			return true
		}
	}
	return s.Any(in)
}
