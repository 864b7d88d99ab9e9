package snapshot

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
		return o.Namespace == namespace || o.Kind == "Namespace" && o.Group() == "" && o.Name == namespace
	}
	for _, o := range s.owners.byKey {
		if in(o) {
			return true
		}
	}
	return s.Any(in)
}
