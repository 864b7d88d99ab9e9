//go:build !unix

package cli

// peakMemory is not known here.
func peakMemory() int64 { return 0 }
