package snapshot

import (
	"reflect"
	"slices"
)

// chunkBytes is how much memory is taken at once for records that come.
const chunkBytes = 64 << 10

// chunks are records whose number is not known before the last has come. A slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks[T any] [][]T

func (c *chunks[T]) add(record *T) {
	last := len(*c) - 1
	if last < 0 || len((*c)[last]) == cap((*c)[last]) {
		*c = append(*c, make([]T, 0, max(1, chunkBytes/int(reflect.TypeFor[T]().Size()))))
		last++
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

func yieldChunks[T any, P record[T]](yield func(*Object) bool, c chunks[T]) bool {
	for _, chunk := range c {
		if !yieldAll[T, P](yield, chunk) {
			return false
		}
	}
	return true
}

func (c chunks[T]) len() int {
	n := 0
	for _, chunk := range c {
		n += len(chunk)
	}
	return n
}
