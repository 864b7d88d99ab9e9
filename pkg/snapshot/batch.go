package snapshot

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	records
	early     early
	objects   map[View][]Object // dependents, before Seal keeps those that belong to Spark
	sightings []Object          // owners found in the second round, or all objects of a file
	count     int
}

// early are applications and pods before Seal lists them: a fleet has so many that they stay where they were read to.
type early struct {
	applications chunks[SparkApplication]
	pods         chunks[Pod]
}

func (e *early) yield(yield func(*Object) bool) bool {
	return yieldChunks(yield, e.applications) && yieldChunks(yield, e.pods)
}

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
		b.early.applications.add(r)
	case *Pod:
		b.early.pods.add(r)
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

// Take appends the records of another batch, which may be used again after Reset.
func (b *Batch) Take(from *Batch) {
	b.count += from.count
	b.early.applications.take(from.early.applications)
	b.early.pods.take(from.early.pods)
	b.lists.take(from.lists)
	b.ignored = append(b.ignored, from.ignored...)
	for v, list := range from.objects {
		b.objects = appendTo(b.objects, v, list...)
	}
	b.sightings = append(b.sightings, from.sightings...)
}

// Reset empties the batch. What is read by the thousand keeps its memory for the next page.
func (b *Batch) Reset() {
	for v, list := range b.objects {
		b.objects[v] = list[:0]
	}
	*b = Batch{objects: b.objects, sightings: b.sightings[:0]}
}
