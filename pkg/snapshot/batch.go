package snapshot

import (
	"reflect"
	"slices"
)

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

// chunkBytes is how much memory is taken at once, at most, for records that come.
const chunkBytes = 64 << 10

// chunks are records whose number is not known before the last has come. One slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks[T any] [][]T

func (c *chunks[T]) add(record *T) {
	last, most := len(*c)-1, max(1, chunkBytes/int(reflect.TypeFor[T]().Size()))
	if last < 0 || len((*c)[last]) >= most {
		*c = append(*c, nil)
		last++
	}
	if chunk := (*c)[last]; len(chunk) == cap(chunk) && len(chunk) > most/4 {
		(*c)[last] = slices.Grow(chunk, most-len(chunk))
	}
	(*c)[last] = append((*c)[last], *record)
}

// take appends the chunks of others, to which nothing more is added.
func (c *chunks[T]) take(from chunks[T]) {
	for _, chunk := range from {
		*c = append(*c, slices.Clip(chunk))
	}
}

func (c chunks[T]) each(yield func(*T) bool) {
	for _, chunk := range c {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

func (c chunks[T]) len() int {
	n := 0
	for _, chunk := range c {
		n += len(chunk)
	}
	return n
}
