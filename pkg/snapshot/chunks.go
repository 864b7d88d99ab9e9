package snapshot

import (
	"reflect"
	"slices"
)

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
