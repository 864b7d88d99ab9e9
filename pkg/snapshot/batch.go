package snapshot

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	records
	fresh     fresh
	objects   map[View][]Object // dependents, before Seal keeps those that belong to Spark
	sightings []Object          // owners found in the second round, or all objects of a file
	count     int
}

// fresh are applications and pods where a page of them is read into.
type fresh struct {
	applications []SparkApplication
	pods         []Pod
}

// reset forgets them and keeps the memory.
func (f *fresh) reset() { f.applications, f.pods = f.applications[:0], f.pods[:0] }

// Len returns how many records were added.
func (b *Batch) Len() int { return b.count }

// Add copies a record into a view.
func (b *Batch) Add(v View, r Record) {
	b.count++
	if o := r.object(); o.Ignore() != "" {
		b.ignored = append(b.ignored, Ignored{o.Ref, o.Location, o.Ignore()})
	}
	switch r := r.(type) {
	case *SparkApplication:
		b.fresh.applications = append(b.fresh.applications, *r)
	case *Pod:
		b.fresh.pods = append(b.fresh.pods, *r)
	default:
		b.addTo(v, r)
	}
}

func (b *Batch) addTo(v View, r Record) {
	o, isObject := r.(*Object)
	switch {
	case isObject && v == Owners:
		b.sightings = append(b.sightings, *o)
	case isObject && dependent(v):
		b.objects = appendTo(b.objects, v, *o)
	default:
		b.lists.add(v, r)
	}
}

func appendTo[T any](m map[View][]T, v View, more ...T) map[View][]T {
	if m == nil {
		m = map[View][]T{}
	}
	m[v] = append(m[v], more...)
	return m
}

// take appends the records of another batch but the fresh ones.
func (b *Batch) take(from *Batch) {
	b.count += from.count
	b.lists.take(from.lists)
	b.ignored = append(b.ignored, from.ignored...)
	for v, list := range from.objects {
		b.objects = appendTo(b.objects, v, list...)
	}
	b.sightings = append(b.sightings, from.sightings...)
}

// Reset empties the batch. What is read by the thousand keeps its memory for the next page.
func (b *Batch) Reset() {
	b.fresh.reset()
	for v, list := range b.objects {
		b.objects[v] = list[:0]
	}
	*b = Batch{fresh: b.fresh, objects: b.objects, sightings: b.sightings[:0]}
}
