package snapshot

import "slices"

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	records
	early     early
	objects   map[View]chunks[Object] // dependents, before Seal keeps those that belong to Spark
	sightings []Object                // owners asked for by kind, or all objects of a file
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

// Add copies a record into a view, without secrets: it is where all text enters a snapshot.
func (b *Batch) Add(v View, r Record) {
	b.count++
	clean(r)
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
		list := b.objects[v]
		list.add(o)
		b.keep(v, list)
	default:
		b.lists.add(v, r)
	}
}

func (b *Batch) keep(v View, list chunks[Object]) {
	if b.objects == nil {
		b.objects = map[View]chunks[Object]{}
	}
	b.objects[v] = list
}

// Take appends the records of another batch, which may be used again after Reset.
func (b *Batch) Take(from *Batch) {
	b.count += from.count
	b.early.applications.take(from.early.applications)
	b.early.pods.take(from.early.pods)
	b.lists.take(from.lists)
	b.ignored = append(b.ignored, from.ignored...)
	for v, more := range from.objects {
		list := b.objects[v]
		list.take(more)
		b.keep(v, list)
	}
	b.sightings = append(b.sightings, from.sightings...)
}

// mayOwn reports whether it has records that refer to owners, or may be some.
func (b *Batch) mayOwn() bool {
	return b.early.applications.len()+b.early.pods.len()+len(b.objects) > 0 || slices.ContainsFunc(owning(), func(v View) bool { return b.lists[v] != nil })
}

// aside reports whether records of a view neither refer to owners nor are any.
func aside(v View) bool {
	return v != SparkApplications && v != SparkPods && !dependent(v) && !slices.Contains(owning(), v)
}

// Reset empties the batch. What is read by the thousand stays with whoever took it.
func (b *Batch) Reset() {
	*b = Batch{sightings: b.sightings[:0]}
}
