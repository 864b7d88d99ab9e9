// Package allocated holds what a test allocates against the size of its input.
package allocated

import (
	"runtime"
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// What decoding may allocate in all: for any input, and for each byte of it. A map in YAML takes three bytes, and becomes a node in each
// of two parsers and a table; a test may decode an input a few times.
const (
	free  = 16 << 20
	ratio = 4000
)

// Bound begins to count. What it returns fails the test if more was allocated since then than an input of so many bytes may take.
func Bound(t testing.TB, size int) func() {
	t.Helper()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	return func() {
		t.Helper()
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > free+ratio*uint64(size) && !sampling.Raced() { //nolint:gosec // a length
			t.Errorf("%d bytes of input took %d bytes of memory", size, took)
		}
	}
}
