//go:build !race

package sampling

// watched says that the race detector looks on, which makes most tests take four times as long.
const watched = false
