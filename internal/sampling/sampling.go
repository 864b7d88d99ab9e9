// Package sampling says how much of a long test runs.
//
// Most tests that ask it run whole in make test, and a tenth in make test-race and make unit: Of and Whole. Tests that take minutes run a
// tenth in make test, too, and whole only in make test-nightly: NightlyOf and Nightly.
package sampling

import (
	"os"
	"strconv"
	"testing"
)

// Environment variables. Go's cache of test results knows which ones a test reads.
const (
	wholeEnv = "SPARKDOCTOR_WHOLE" // not empty: also what is nightly runs whole
	tenthEnv = "SPARKDOCTOR_TENTH" // a number that picks the tenth; 0 by default
)

// Raced is true under the race detector, for tests that build the program: so are they.
func Raced() bool { return watched }

// Whole is true where everything runs that is not nightly, and a test may count what it saw.
func Whole() bool { return Nightly() || !watched && !testing.Short() }

// Nightly is true where everything runs.
func Nightly() bool { return os.Getenv(wholeEnv) != "" }

// Of is what runs of a list: all of it, or each tenth item.
func Of[T any](list []T) []T {
	if Whole() {
		return list
	}
	return tenth(list)
}

// NightlyOf is what runs of a list: each tenth item, or all of it at night.
func NightlyOf[T any](list []T) []T {
	if Nightly() {
		return list
	}
	return tenth(list)
}

// tenth is each tenth item of a list, and at least one of a list that has any.
func tenth[T any](list []T) []T {
	const every = 10
	if len(list) == 0 {
		return nil
	}
	out := make([]T, 0, len(list)/every+1)
	for i := first() % min(every, len(list)); i < len(list); i += every {
		out = append(out, list[i])
	}
	return out
}

// first is the item at which the tenth begins.
func first() int {
	text := os.Getenv(tenthEnv)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		panic(tenthEnv + " is no number: " + err.Error())
	}
	return int(n)
}
