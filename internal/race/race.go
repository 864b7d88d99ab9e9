//go:build race

// Package race tells tests whether the race detector watches them.
package race

// Enabled makes everything take three times as long: long inputs are then sampled, and make test takes all of them without it.
const Enabled = true
