//go:build race

package sampling

// slowdown is what the race detector makes of most tests.
const slowdown = 4
