package snapshot

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	tables tables
	count  int
}

// Len returns how many records were added.
func (b *Batch) Len() int { return b.count }

// Add copies a record into a view, without secrets: it is where all text enters a snapshot.
func (b *Batch) Add(v View, r Record) {
	b.count++
	Clean(r)
	if o := r.object(); o.Ignore() != "" {
		b.tables.of(Annotated).add(&Object{Ref: o.Ref, Location: o.Location, Seldom: &Seldom{Ignore: o.Ignore()}})
	}
	if v != Annotated {
		b.tables.of(v).add(r)
	}
}

// Take appends the records of another batch, which may be used again after Reset.
func (b *Batch) Take(from *Batch) {
	b.count += from.count
	for v, t := range from.tables {
		b.tables.of(v).take(t)
	}
}

// Reset empties the batch. What is read by the thousand stays with whoever took it.
func (b *Batch) Reset() { *b = Batch{} }
