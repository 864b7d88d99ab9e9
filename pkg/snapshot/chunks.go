package snapshot

// chunkSize is how many records are kept together until all have come.
const chunkSize = 1024

// chunks are records whose number is not known before the last has come. A slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks[T any] [][]T

func (c *chunks[T]) add(records ...T) {
	for len(records) > 0 {
		last := len(*c) - 1
		if last < 0 || len((*c)[last]) == chunkSize {
			*c = append(*c, make([]T, 0, chunkSize))
			last++
		}
		n := min(len(records), chunkSize-len((*c)[last]))
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

// joined returns all of them and keeps none.
func (c *chunks[T]) joined() []T {
	if c.len() == 0 {
		return nil
	}
	out := make([]T, 0, c.len())
	for _, chunk := range *c {
		out = append(out, chunk...)
	}
	*c = nil
	return out
}
