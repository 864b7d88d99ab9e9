package snapshot

import "reflect"

// chunkBytes is how much memory is taken at once for records that come.
const chunkBytes = 64 << 10

// chunks are records whose number is not known before the last has come. A slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks[T any] [][]T

func (c *chunks[T]) add(records ...T) {
	size := max(1, chunkBytes/int(reflect.TypeFor[T]().Size()))
	for len(records) > 0 {
		last := len(*c) - 1
		if last < 0 || len((*c)[last]) == size {
			*c = append(*c, make([]T, 0, size))
			last++
		}
		n := min(len(records), size-len((*c)[last]))
		(*c)[last] = append((*c)[last], records[:n]...)
		records = records[n:]
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
