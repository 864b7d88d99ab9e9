//go:build race

package main

// raceDetector makes everything take three times as long.
const raceDetector = true
