//go:build !unix

package scan

// peakMemory is not known here.
func peakMemory() int64 { return 0 }
