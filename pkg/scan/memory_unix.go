//go:build unix

package scan

import (
	"runtime"
	"syscall"
)

// peakMemory returns the largest resident set so far, in bytes; 0: unknown.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // bytes there, kilobytes elsewhere (getrusage(2))
	}
	return int64(usage.Maxrss) << 10
}
