package snapshot

// Any reports whether fn holds for an object of any view. It is for selections: no check looks at all views.
func (s *Snapshot) Any(fn func(*Object) bool) bool {
	found := false
	each := func(o *Object) bool { found = fn(o); return !found }
	r := &s.records
	ok := r.fleet(each)
	for _, list := range r.dependents {
		ok = ok && yieldAll(each, list)
	}
	for _, list := range r.lists {
		ok = ok && list.objects(each)
	}
	return found
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
