package snapshot

import "runtime/debug"

// chunkSize is how many pods are kept together until all have come.
const chunkSize = 2048

// chunks are pods whose number is not known before the last has come. A slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks [][]Pod

func (c *chunks) add(pods ...Pod) {
	for len(pods) > 0 {
		last := len(*c) - 1
		if last < 0 || len((*c)[last]) == chunkSize {
			*c = append(*c, make([]Pod, 0, chunkSize))
			last++
		}
		n := min(len(pods), chunkSize-len((*c)[last]))
		(*c)[last] = append((*c)[last], pods[:n]...)
		pods = pods[n:]
	}
}

// releaseEvery is how many chunks are copied before the memory of their originals is given back: about 9 MB.
const releaseEvery = 16

// joined returns all of them and keeps none. Where there are many, what was copied is released on the way, or the peak
// of a large fleet's memory would be here.
func (c *chunks) joined() []Pod {
	n := 0
	for _, chunk := range *c {
		n += len(chunk)
	}
	if n == 0 {
		return nil
	}
	out := make([]Pod, 0, n)
	for i, chunk := range *c {
		out = append(out, chunk...)
		if (*c)[i] = nil; (i+1)%releaseEvery == 0 {
			debug.FreeOSMemory()
		}
	}
	*c = nil
	return out
}
