// Package sampling says how much of a long test runs: all of it, a fourth where the race detector makes everything slower, and a tenth in
// make unit. make test runs what asks here twice: a part under the race detector, and all of it without.
package sampling

import "testing"

// Whole is true where everything runs, and a test may count what it saw.
func Whole() bool { return every() == 1 }

// Of is what runs of a list: all of it, or its first item and each fourth or tenth after that.
func Of[T any](list []T) []T {
	n := every()
	out := make([]T, 0, len(list)/n+1)
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

func every() int {
	if testing.Short() {
		return 10
	}
	return slowdown
}
