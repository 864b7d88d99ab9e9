package cli

import "runtime"

// spareProcessors does without half of the processors until restore is called, for a scan that is alone in the program.
// Listing a fleet is waiting for the server, piece by piece. Each processor that has nothing to do looks for work at every
// piece, and wakes another one to look as well, at the cost of whatever runs beside it: often the server itself
// (docs/performance.md).
func spareProcessors() (restore func()) {
	all := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS((all + 1) / 2)
	return func() { runtime.GOMAXPROCS(all) }
}
