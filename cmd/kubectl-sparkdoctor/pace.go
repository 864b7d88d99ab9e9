package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	growth = 25        // per cent that the heap grows by between two collections
	floor  = 100 << 20 // bytes of heap, below which nothing is collected
)

// paceCollector says when the garbage is collected. What a scan reads it keeps until its end: collecting after a quarter
// more instead of twice as much costs processor time, and saves a fifth of the memory of a large fleet. A heap that is
// smaller than a browser's tab is not collected at all: each time costs what is left to the API server beside it.
func paceCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	debug.SetGCPercent(100 * floor / (4 << 20)) // of 4 MiB, until there was a collection (runtime/debug.SetGCPercent)
	type token struct{ _ [16]byte }
	var collected func(*token)
	collected = func(t *token) {
		metrics.Read(live)
		if bytes := int(live[0].Value.Uint64()); bytes > 0 {
			debug.SetGCPercent(max(growth, 100*(floor-bytes)/bytes))
		}
		runtime.SetFinalizer(t, collected) // nobody holds it, so that each collection finds it
	}
	runtime.SetFinalizer(new(token), collected)
}
