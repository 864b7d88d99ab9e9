package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	growth  = 25       // per cent that the heap grows by between two collections
	atLeast = 24 << 20 // bytes that it grows by, however small it is
)

// paceCollector says when the garbage is collected. What a scan reads it keeps until its end: collecting after a quarter
// more instead of twice as much costs processor time, and saves a fifth of the memory of a large fleet. A small heap is
// not collected all the time.
func paceCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	debug.SetGCPercent(100 * atLeast / (4 << 20)) // of 4 MiB, until there was a collection (runtime/debug.SetGCPercent)
	type token struct{ _ [16]byte }
	var collected func(*token)
	collected = func(t *token) {
		metrics.Read(live)
		if bytes := live[0].Value.Uint64(); bytes > 0 {
			debug.SetGCPercent(max(growth, int(100*atLeast/bytes)))
		}
		runtime.SetFinalizer(t, collected) // nobody holds it, so that each collection finds it
	}
	runtime.SetFinalizer(new(token), collected)
}
