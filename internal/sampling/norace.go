//go:build !race

package sampling

// slowdown is what the race detector makes of most tests; it is not there.
const slowdown = 1
