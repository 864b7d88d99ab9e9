// Package sampling says how much of a long test runs: all of it, or a tenth under the race detector and in make unit. make test runs what
// asks here twice: a part under the race detector, and all of it without.
package sampling

import "testing"

// Whole is true where everything runs, and a test may count what it saw.
func Whole() bool { return !watched && !testing.Short() }

// Of is what runs of a list: all of it, or its first item and each tenth after that.
func Of[T any](list []T) []T {
	if Whole() {
		return list
	}
	const every = 10
	out := make([]T, 0, len(list)/every+1)
	for i := 0; i < len(list); i += every {
		out = append(out, list[i])
	}
	return out
}
